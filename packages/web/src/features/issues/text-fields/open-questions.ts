/**
 * A question, as the built-in analyst and language models format it. A question may be an unchecked
 * checklist item.
 */
const QUESTION = /^\s*(?:[-*+]\s+)?(?:\[ \]\s+)?[_*]{0,3}To clarify:/i;

/** True if a line asks for information that is missing from the issue. */
export function isOpenQuestion(line: string): boolean {
  return QUESTION.test(line);
}

/** Counts the unanswered questions of a description. */
export function openQuestions(description: string): number {
  return description.split('\n').filter(isOpenQuestion).length;
}

/**
 * A question as the built-in analyst and language models write it, including unchecked checklist
 * items.
 */
const QUESTION = /^\s*(?:[-*+]\s+)?(?:\[ \]\s+)?[_*]{0,3}To clarify:/i;

/** True if a line asks for information that the issue lacks. */
export function isOpenQuestion(line: string): boolean {
  return QUESTION.test(line);
}

/** Counts the unanswered questions of a description. */
export function openQuestions(description: string): number {
  return description.split('\n').filter(isOpenQuestion).length;
}

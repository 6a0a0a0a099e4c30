/** A question as the built-in analyst and language models write it, also as an item of a checklist that is not ticked. */
const QUESTION = /^\s*(?:[-*+]\s+)?(?:\[ \]\s+)?[_*]{0,3}To clarify:/i;

/** Whether a line asks for what the issue does not say yet. */
export function isOpenQuestion(line: string): boolean {
  return QUESTION.test(line);
}

/** How many questions of a description nobody has answered. */
export function openQuestions(description: string): number {
  return description.split('\n').filter(isOpenQuestion).length;
}

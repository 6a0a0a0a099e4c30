const OPENS = '_To clarify: ';
const CLOSES = '_';

/** A question as a line of a description, marked so that nobody takes it for something the issue says. */
export function questionLine(question: string): string {
  return `${OPENS}${question}${CLOSES}`;
}

/** A question, also as an item of a checklist that is not ticked. */
const QUESTION = new RegExp(`^\\s*(?:[-*+]\\s+)?(?:\\[ \\]\\s+)?${OPENS}`);

/** True if the line asks for what is missing. */
export function isQuestionLine(line: string): boolean {
  return QUESTION.test(line);
}

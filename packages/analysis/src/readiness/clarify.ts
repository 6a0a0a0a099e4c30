const OPENS = '_To clarify: ';
const CLOSES = '_';

/** A question as a line of a description, marked so that nobody takes it for something the issue says. */
export function questionLine(question: string): string {
  return `${OPENS}${question}${CLOSES}`;
}

/** Whether a line asks for what is missing. */
export function isQuestionLine(line: string): boolean {
  return line.trimStart().startsWith(OPENS);
}

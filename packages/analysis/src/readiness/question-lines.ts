const QUESTION_OPENING = '_To clarify: ';
const QUESTION_CLOSING = '_';

/**
 * Formats a question as a line of a description. Its mark prevents readers from taking it for a
 * statement of the issue.
 */
export function questionLine(question: string): string {
  return `${QUESTION_OPENING}${question}${QUESTION_CLOSING}`;
}

/** Matches a question, including one in an unchecked checklist item. */
const QUESTION_LINE = new RegExp(`^\\s*(?:[-*+]\\s+)?(?:\\[ \\]\\s+)?${QUESTION_OPENING}`);

/** True if the line asks for missing information. */
export function isQuestionLine(line: string): boolean {
  return QUESTION_LINE.test(line);
}

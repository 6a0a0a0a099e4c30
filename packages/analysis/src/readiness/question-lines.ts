const QUESTION_OPENING = '_To clarify: ';
const QUESTION_CLOSING = '_';

/**
 * Formats a question as a line of a description. The prefix “To clarify” distinguishes it from the
 * author's statements.
 */
export function questionLine(question: string): string {
  return `${QUESTION_OPENING}${question}${QUESTION_CLOSING}`;
}

/** Matches a line that `questionLine` wrote. It may be in an unchecked checklist item. */
const QUESTION_LINE = new RegExp(`^\\s*(?:[-*+]\\s+)?(?:\\[ \\]\\s+)?${QUESTION_OPENING}`);

/** True if the line is a question that `questionLine` wrote. */
export function isQuestionLine(line: string): boolean {
  return QUESTION_LINE.test(line);
}

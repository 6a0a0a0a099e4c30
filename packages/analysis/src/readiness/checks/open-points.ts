import { openPointCue } from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import type { Statement } from '../statement.ts';

/**
 * Returns the open questions and guesses of an issue. If the issue itself is a question, leaves out
 * the first one.
 */
export function openPoints({ all, isQuestion }: Reading): Statement[] {
  const found = all.filter(
    ({ text, topic }) => topic === 'questions' || /[?？]\s*$/.test(text) || openPointCue(text),
  );
  return isQuestion ? found.slice(1) : found;
}

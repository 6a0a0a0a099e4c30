import { openPointCue } from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import type { Statement } from '../statement.ts';

/**
 * Returns the questions and guesses of an issue. For an issue that is itself a question, only
 * further ones.
 */
export function openPoints({ all, isQuestion }: Reading): Statement[] {
  const found = all.filter(
    ({ text, topic }) => topic === 'questions' || /[?？]\s*$/.test(text) || openPointCue(text),
  );
  return isQuestion ? found.slice(1) : found;
}

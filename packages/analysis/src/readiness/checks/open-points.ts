import { open } from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import type { Statement } from '../statement.ts';

/** Questions and guesses of an issue; of one that is a question only those beyond it. */
export function openPoints({ all, isQuestion }: Reading): Statement[] {
  const found = all.filter(
    ({ text, topic }) => topic === 'questions' || /[?？]\s*$/.test(text) || open(text),
  );
  return isQuestion ? found.slice(1) : found;
}

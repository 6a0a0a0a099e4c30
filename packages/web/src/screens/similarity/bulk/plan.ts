import type { Pair } from '@winnow/contract/duplicate';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import { type CloseChoice, suggestedClose } from '../suggestion.ts';

/** A pair of which one issue is to be closed towards the other. */
export type PlannedClose = { pair: Pair; choice: CloseChoice };
/** A pair that takes no part, and why. */
export type LeftOut = { pair: Pair; reason: string };

/** What is said of a pair whose issues are judged to have nothing to do with each other: it wants a look of its own. */
const JUDGED_UNRELATED = 'Judged unrelated. Close it by itself if you know better.';

/**
 * Which issue of each pair is closed when several pairs are closed in one go. One that is judged unrelated is left out. No issue is closed twice, and none towards one
 * that the same go closes, or after others were closed towards it: those pairs are left out, the first of them stays.
 */
export function planCloses(
  pairs: readonly Pair[],
  isUnrelated: (pair: Pair) => boolean,
): { closes: PlannedClose[]; leftOut: LeftOut[] } {
  const closes: PlannedClose[] = [];
  const leftOut: LeftOut[] = [];
  const closed = new Set<string>();
  const kept = new Set<string>();
  for (const pair of pairs) {
    const choice = suggestedClose(pair);
    if (choice === null) {
      leftOut.push({ pair, reason: 'Both issues are closed already.' });
      continue;
    }
    if (isUnrelated(pair)) {
      leftOut.push({ pair, reason: JUDGED_UNRELATED });
      continue;
    }
    const [loser, survivor] = choice === 'close_a' ? [pair.issue1, pair.issue2] : [pair.issue2, pair.issue1];
    const [loserName, survivorName] = [keyBeside(loser, survivor), keyBeside(survivor, loser)];
    const reason = closed.has(loser.id)
      ? `${loserName} is closed by another pair of this selection.`
      : closed.has(survivor.id)
        ? `${survivorName}, which would stay open, is closed by another pair of this selection.`
        : kept.has(loser.id)
          ? `${loserName} stays open for another pair of this selection.`
          : null;
    if (reason !== null) {
      leftOut.push({ pair, reason });
      continue;
    }
    closed.add(loser.id);
    kept.add(survivor.id);
    closes.push({ pair, choice });
  }
  return { closes, leftOut };
}

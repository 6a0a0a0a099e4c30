import type { Pair } from '@winnow/contract/duplicate';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import { type CloseChoice, suggestedClose } from '../suggestion.ts';

/** A pair, and which of its issues to close as a duplicate of the other. */
export type PlannedClose = { pair: Pair; choice: CloseChoice };
/** A pair that the bulk action skips, with the reason. */
export type LeftOutPair = { pair: Pair; reason: string };

/** Reason for skipping a pair that is judged unrelated. It needs an individual decision. */
const JUDGED_UNRELATED = 'Judged unrelated. To close it anyway, resolve it on its own.';

/**
 * Plans which issue of each pair to close. Skips pairs that are judged unrelated, and pairs that
 * conflict with an earlier pair. No issue is closed twice. If one pair keeps an issue open, no
 * other pair closes it.
 */
export function planCloses(
  pairs: readonly Pair[],
  isUnrelated: (pair: Pair) => boolean,
): { closes: PlannedClose[]; leftOut: LeftOutPair[] } {
  const closes: PlannedClose[] = [];
  const leftOut: LeftOutPair[] = [];
  const closed = new Set<string>();
  const kept = new Set<string>();
  for (const pair of pairs) {
    const choice = suggestedClose(pair);
    if (choice === null) {
      leftOut.push({ pair, reason: 'Both issues are already closed.' });
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

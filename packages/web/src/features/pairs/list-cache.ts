import type { Pair, PairList } from '@winnow/contract/duplicate';

/**
 * Removes a pair from a page and decrements the total. Returns the same page if the pair is not on
 * it.
 */
export function withoutPair(list: PairList, pairId: string): PairList {
  const duplicates = list.duplicates.filter((pair) => pair.id !== pairId);
  if (duplicates.length === list.duplicates.length) return list;
  return { ...list, duplicates, total: Math.max(0, list.total - 1) };
}

/** True if a pair has no resolution yet. */
export function isUndecided({ resolution }: Pair): boolean {
  return resolution === null;
}

/**
 * Finds the undecided pair nearest to a position: downwards first, then upwards. Undefined if there
 * is none.
 */
export function undecidedNear(pairs: readonly Pair[], at: number): Pair | undefined {
  return pairs.slice(at).find(isUndecided) ?? pairs.slice(0, at).findLast(isUndecided);
}

/**
 * Returns the undecided pair to show after a decision: the next below, otherwise above. Undefined
 * if there is none.
 */
export function pairAfter(list: PairList, pairId: string): Pair | undefined {
  const at = list.duplicates.findIndex((pair) => pair.id === pairId);
  if (at === -1) return undefined;
  const others = list.duplicates.filter((pair) => pair.id !== pairId);
  return undecidedNear(others, at);
}

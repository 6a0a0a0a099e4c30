import type { Pair, PairList } from '@winnow/contract/duplicate';

/**
 * Removes a pair from a page of the list and decrements the total. Returns the page unchanged if it
 * does not contain the pair.
 */
export function withoutPair(list: PairList, pairId: string): PairList {
  const duplicates = list.duplicates.filter((pair) => pair.id !== pairId);
  if (duplicates.length === list.duplicates.length) return list;
  return { ...list, duplicates, total: Math.max(0, list.total - 1) };
}

/** True if a pair has no resolution and no judgment. */
export function isUndecided({ resolution, judgment }: Pair): boolean {
  return resolution === null && judgment === null;
}

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

/** True if a pair has neither a resolution nor a judgment yet. */
export function isUndecided({ resolution, judgment }: Pair): boolean {
  return resolution === null && judgment === null;
}

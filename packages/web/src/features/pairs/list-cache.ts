import type { Pair, PairList } from '@winnow/contract/duplicate';

/** The page without a pair, which leaves the total too. The same page when the pair is not on it. */
export function withoutPair(list: PairList, pairId: string): PairList {
  const duplicates = list.duplicates.filter((pair) => pair.id !== pairId);
  if (duplicates.length === list.duplicates.length) return list;
  return { ...list, duplicates, total: Math.max(0, list.total - 1) };
}

/** True if somebody still has to decide about the pair. */
export function isUndecided({ resolution }: Pair): boolean {
  return resolution === null;
}

/** The undecided pair nearest to a position on the page: from there down, else up; undefined when there is none. */
export function undecidedNear(pairs: readonly Pair[], at: number): Pair | undefined {
  return pairs.slice(at).find(isUndecided) ?? pairs.slice(0, at).findLast(isUndecided);
}

/** The undecided pair to show after one is decided: below it on the page, else above; undefined when there is none. */
export function pairAfter(list: PairList, pairId: string): Pair | undefined {
  const at = list.duplicates.findIndex((pair) => pair.id === pairId);
  if (at === -1) return undefined;
  const others = list.duplicates.filter((pair) => pair.id !== pairId);
  return undecidedNear(others, at);
}

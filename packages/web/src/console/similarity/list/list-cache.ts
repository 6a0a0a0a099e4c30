import type { PairList } from '@winnow/contract/duplicate';

/** The page without a pair, which leaves the total too. The same page when the pair is not on it. */
export function withoutPair(list: PairList, pairId: string): PairList {
  const duplicates = list.duplicates.filter((pair) => pair.id !== pairId);
  if (duplicates.length === list.duplicates.length) return list;
  return { ...list, duplicates, total: Math.max(0, list.total - 1) };
}

/** The pair to look at after one is decided: the one below it on the page, else the one above; null when it was alone. */
export function pairAfter(list: PairList, pairId: string): string | null {
  const at = list.duplicates.findIndex((pair) => pair.id === pairId);
  if (at === -1) return null;
  return (list.duplicates[at + 1] ?? list.duplicates[at - 1])?.id ?? null;
}

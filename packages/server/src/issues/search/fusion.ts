/** Constant 60 of reciprocal-rank fusion (Cormack, Clarke and Büttcher 2009). */
const FUSION_CONSTANT = 60;

/**
 * Merges several rankings into one by reciprocal-rank fusion. Rank r in a ranking adds 1 / (60 + r)
 * to the score of an item. Items with equal scores stay in the order in which they first occur.
 */
export function fuseRanks<Item extends { id: string }>(rankings: readonly (readonly Item[])[]): Item[] {
  const fused = new Map<string, { item: Item; sum: number }>();
  for (const ranking of rankings) {
    for (const [index, item] of ranking.entries()) {
      const share = 1 / (FUSION_CONSTANT + index + 1);
      const entry = fused.get(item.id);
      if (entry === undefined) fused.set(item.id, { item, sum: share });
      else entry.sum += share;
    }
  }
  // Sorting is stable, and a Map keeps insertion order.
  return [...fused.values()].sort((one, other) => other.sum - one.sum).map(({ item }) => item);
}

/** The usual constant of reciprocal-rank fusion (Cormack, Clarke and Büttcher 2009). */
const FUSION = 60;

/**
 * Several rankings of the same kind of thing as one: what stands at rank r of a ranking gets 1 / (60 + r) of it, and the
 * sums decide. Of equal sums the one that stands higher in an earlier ranking comes first. Each item once.
 */
export function fuseRanks<Item extends { id: string }>(rankings: readonly (readonly Item[])[]): Item[] {
  const fused = new Map<string, { item: Item; sum: number }>();
  for (const ranking of rankings) {
    for (const [index, item] of ranking.entries()) {
      const share = 1 / (FUSION + index + 1);
      const entry = fused.get(item.id);
      if (entry === undefined) fused.set(item.id, { item, sum: share });
      else entry.sum += share;
    }
  }
  // Sorting keeps the order of equals, and a Map the order in which they came.
  return [...fused.values()].sort((one, other) => other.sum - one.sum).map(({ item }) => item);
}

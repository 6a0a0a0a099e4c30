import type { Entry } from './layout.ts';

/** Maximum number of passes over all columns. Additional passes change little. */
const MAX_SWEEPS = 8;

type Neighbors = ReadonlyMap<string, readonly string[]>;

function neighborsOf(links: readonly (readonly [string, string])[], from: 0 | 1): Neighbors {
  const neighbors = new Map<string, string[]>();
  for (const link of links) {
    const [one, other] = [link[from], link[from === 0 ? 1 : 0]];
    const known = neighbors.get(one);
    if (known === undefined) neighbors.set(one, [other]);
    else known.push(other);
  }
  return neighbors;
}

function ranksOf(column: readonly Entry[]): Map<string, number> {
  return new Map(column.map(({ name }, rank) => [name, rank]));
}

/**
 * Sorts a column by the average position of its neighbors in the adjacent column. Entries without
 * neighbors keep their position.
 */
function byBarycenter(column: readonly Entry[], beside: readonly Entry[], neighbors: Neighbors): Entry[] {
  const ranks = ranksOf(beside);
  const weighed = column.map((entry, rank) => {
    const known = (neighbors.get(entry.name) ?? []).flatMap((name) => ranks.get(name) ?? []);
    return { entry, at: known.length === 0 ? rank : known.reduce((sum, one) => sum + one, 0) / known.length };
  });
  return weighed.toSorted((one, other) => one.at - other.at).map(({ entry }) => entry);
}

/** Counts the crossings of the links between two adjacent columns, in O(n log n). */
function crossingsBetween(left: readonly Entry[], right: readonly Entry[], after: Neighbors): number {
  const ranks = ranksOf(right);
  const ends = left.flatMap(({ name }) =>
    (after.get(name) ?? []).flatMap((other) => ranks.get(other) ?? []).toSorted((one, other) => one - other),
  );
  // Binary indexed tree that counts the right ends of the processed links, by position. Its prefix
  // sum counts the ends at or above a position. The current link crosses each processed link that
  // ends below it.
  const tree = new Int32Array(right.length + 1);
  let crossings = 0;
  for (const [count, end] of ends.entries()) {
    let notBelow = 0;
    for (let at = end + 1; at > 0; at -= at & -at) notBelow += tree[at] ?? 0;
    crossings += count - notBelow;
    for (let at = end + 1; at <= right.length; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
  }
  return crossings;
}

/** Counts the crossings of all links between adjacent columns. */
export function countCrossings(
  columns: readonly (readonly Entry[])[],
  links: readonly (readonly [string, string])[],
): number {
  const after = neighborsOf(links, 0);
  return columns
    .slice(1)
    .reduce((sum, column, index) => sum + crossingsBetween(columns[index] ?? [], column, after), 0);
}

/**
 * Sorts the entries of each column so that few links cross. Links connect adjacent columns. Entries
 * that are equally good keep the input order.
 */
export function orderColumns(
  columns: readonly (readonly Entry[])[],
  links: readonly (readonly [string, string])[],
): Entry[][] {
  const [after, before] = [neighborsOf(links, 0), neighborsOf(links, 1)];
  let current = columns.map((column) => [...column]);
  let best = current;
  let fewest = countCrossings(current, links);
  for (let sweep = 0; sweep < MAX_SWEEPS && fewest > 0; sweep += 1) {
    const next = [...current];
    const order = next.map((_column, index) => index);
    const goesRight = sweep % 2 === 0;
    for (const index of (goesRight ? order : order.toReversed()).slice(1)) {
      const beside = next[goesRight ? index - 1 : index + 1] ?? [];
      next[index] = byBarycenter(next[index] ?? [], beside, goesRight ? before : after);
    }
    current = next;
    const crossings = countCrossings(current, links);
    if (crossings < fewest) {
      fewest = crossings;
      best = current;
    }
  }
  return best;
}

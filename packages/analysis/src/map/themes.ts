import type { Neighbours } from './neighbour-layout.ts';

/** Minimum cosine between any two issues of a theme. */
const MIN_COSINE = 0.2;
/** Two points are connected only if each is among the 10 nearest neighbors of the other. */
const MUTUAL_NEIGHBOUR_COUNT = 10;

/**
 * Returns the theme of every point; -1 means no theme. Themes grow by merging mutual neighbors,
 * closest first. In a theme, any two points must be similar (complete linkage), so that no point
 * bridges two topics. Themes are numbered by size, then by lowest row.
 */
export function themesOf(points: readonly Float32Array[], neighbours: Neighbours): Int32Array {
  const members = points.map((_, row) => [row]);
  const themeOf = Uint32Array.from(points, (_, row) => row);
  for (const { one, other } of mutualPairs(neighbours, points.length)) {
    const [first, second] = [themeOf[one] ?? 0, themeOf[other] ?? 0];
    if (first === second) continue;
    const [rows, others] = [members[first] ?? [], members[second] ?? []];
    if (!rows.every((row) => others.every((there) => cosine(points[row], points[there]) >= MIN_COSINE)))
      continue;
    members[first] = [...rows, ...others];
    members[second] = [];
    for (const row of others) themeOf[row] = first;
  }
  const numbered = new Int32Array(points.length).fill(-1);
  const themes = members.filter((rows) => rows.length > 1).map((rows) => rows.sort((a, b) => a - b));
  themes.sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  for (const [number, rows] of themes.entries()) for (const row of rows) numbered[row] = number;
  return numbered;
}

/** Returns the pairs of points that are neighbors of each other, closest first. */
function mutualPairs({ k, rows, cosines }: Neighbours, count: number) {
  const depth = Math.min(k, MUTUAL_NEIGHBOUR_COUNT);
  const near = Array.from({ length: count }, (_, row) => new Set(rows.subarray(row * k, row * k + depth)));
  const pairs: { one: number; other: number; cosine: number }[] = [];
  for (let one = 0; one < count; one += 1) {
    for (let place = one * k; place < one * k + depth; place += 1) {
      const other = rows[place] ?? count;
      const score = cosines[place] ?? 0;
      if (other <= one || other >= count || score < MIN_COSINE) continue;
      if (near[other]?.has(one) === true) pairs.push({ one, other, cosine: score });
    }
  }
  return pairs.sort((a, b) => b.cosine - a.cosine || a.one - b.one || a.other - b.other);
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

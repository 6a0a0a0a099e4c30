import type { Neighbours } from './neighbour-layout.ts';

/** Two issues of one theme are at least so alike in meaning, whichever two of it. */
const LEAST_COSINE = 0.2;
/** Of the nearest of a point, so many must have it among theirs. */
const MUTUAL_AMONG = 10;

/**
 * The theme of every point, -1 for one that has none: complete-link clusters along mutual neighbours, the closest joined
 * first, so that no point bridges two themes. Themes are numbered from the largest; of equal ones the one with the lowest
 * row comes first.
 */
export function themesOf(points: readonly Float32Array[], neighbours: Neighbours): Int32Array {
  const members = points.map((_, row) => [row]);
  const themeOf = Uint32Array.from(points, (_, row) => row);
  for (const { one, other } of mutualPairs(neighbours, points.length)) {
    const [first, second] = [themeOf[one] ?? 0, themeOf[other] ?? 0];
    if (first === second) continue;
    const [rows, others] = [members[first] ?? [], members[second] ?? []];
    if (!rows.every((row) => others.every((there) => cosine(points[row], points[there]) >= LEAST_COSINE)))
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

/** Pairs of points that have each other among their nearest, the closest first. */
function mutualPairs({ k, rows, cosines }: Neighbours, count: number) {
  const depth = Math.min(k, MUTUAL_AMONG);
  const near = Array.from({ length: count }, (_, row) => new Set(rows.subarray(row * k, row * k + depth)));
  const pairs: { one: number; other: number; cosine: number }[] = [];
  for (let one = 0; one < count; one += 1) {
    for (let place = one * k; place < one * k + depth; place += 1) {
      const other = rows[place] ?? count;
      const score = cosines[place] ?? 0;
      if (other <= one || other >= count || score < LEAST_COSINE) continue;
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

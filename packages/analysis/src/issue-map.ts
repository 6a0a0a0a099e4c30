import { drawTogether, unitSpread } from './map/neighbour-layout.ts';
import { principalPlane } from './map/principal-components.ts';
import { themesOf } from './map/themes.ts';
import { type NeighbourPool, packVectors } from './neighbours.ts';

/** Where points lie on a map, by row; a theme of -1 is none. */
export interface PlacedPoints {
  x: Float64Array;
  y: Float64Array;
  themes: Int32Array;
}

const NEIGHBOURS = 30;
/** Fewer points have no neighbourhoods to keep. */
const FEWEST_DRAWN = 5;
/** A point that came later lies among so many of those that are there. */
const PLACED_AMONG = 3;
/** As near as two points of one theme must be. */
const SAME_THEME = 0.3;

/**
 * A map of points (vectors of length 1) on which like ones lie near each other: their principal plane, refined so that
 * neighbours come together. Deterministic, and nearly the same for nearly the same points. Takes turns with other work.
 */
export async function placePoints(
  points: readonly Float32Array[],
  pool: NeighbourPool,
): Promise<PlacedPoints> {
  const plane = await principalPlane(points);
  if (points.length < FEWEST_DRAWN) {
    const [x, y] = unitSpread(...plane);
    return { x, y, themes: new Int32Array(points.length).fill(-1) };
  }
  const dimensions = points[0]?.length ?? 0;
  const vectors = packVectors(points, dimensions);
  const found = await pool.nearest({ vectors, k: Math.min(NEIGHBOURS, points.length - 1) });
  const neighbours = { k: found.k, rows: found.ids, cosines: found.scores };
  const [x, y] = await drawTogether(plane, neighbours);
  return { x, y, themes: themesOf(points, neighbours) };
}

/** Where further points lie on a map: between the points most like them, and in the theme of the nearest if it is near. */
export async function placeAmong(
  further: readonly Float32Array[],
  points: readonly Float32Array[],
  placed: PlacedPoints,
  pool: NeighbourPool,
): Promise<{ x: number; y: number; theme: number }[]> {
  const places: { x: number; y: number; theme: number }[] = [];
  // Of many at once, all of a point's nearest might be among those that have no place yet.
  const batch = Math.max(1, points.length);
  for (let from = 0; from < further.length; from += batch) {
    places.push(...(await placeBatch(further.slice(from, from + batch), points, placed, pool)));
  }
  return places;
}

async function placeBatch(
  further: readonly Float32Array[],
  points: readonly Float32Array[],
  placed: PlacedPoints,
  pool: NeighbourPool,
): Promise<{ x: number; y: number; theme: number }[]> {
  const all = [...points, ...further];
  const vectors = packVectors(all, all[0]?.length ?? 0);
  const rows = Uint32Array.from(further, (_, index) => points.length + index);
  const found = await pool.nearest({ vectors, rows, k: Math.max(1, Math.min(NEIGHBOURS, all.length - 1)) });
  return further.map((_, index) => {
    const near: { row: number; cosine: number }[] = [];
    for (let place = index * found.k; place < (index + 1) * found.k; place += 1) {
      const row = found.ids[place] ?? points.length;
      if (row < points.length && near.length < PLACED_AMONG)
        near.push({ row, cosine: found.scores[place] ?? 0 });
    }
    return between(near, placed);
  });
}

function between(near: readonly { row: number; cosine: number }[], placed: PlacedPoints) {
  let [x, y, weights] = [0, 0, 0];
  for (const { row, cosine } of near) {
    const weight = Math.max(0.01, cosine) ** 4;
    x += weight * (placed.x[row] ?? 0);
    y += weight * (placed.y[row] ?? 0);
    weights += weight;
  }
  const [nearest] = near;
  if (nearest === undefined) return { x: 0, y: 0, theme: -1 };
  const theme = nearest.cosine >= SAME_THEME ? (placed.themes[nearest.row] ?? -1) : -1;
  return { x: x / weights, y: y / weights, theme };
}

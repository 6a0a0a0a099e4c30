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
  const plane = principalPlane(points);
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

/** Where a further point lies on a map: between the points most like it, and in the theme of the nearest if it is near. */
export function placeAmong(
  point: Float32Array,
  points: readonly Float32Array[],
  placed: PlacedPoints,
): { x: number; y: number; theme: number } {
  const near: { row: number; cosine: number }[] = [];
  for (const [row, other] of points.entries()) {
    let cosine = 0;
    for (let at = 0; at < point.length; at += 1) cosine += (point[at] ?? 0) * (other[at] ?? 0);
    if (near.length === PLACED_AMONG && cosine <= (near.at(-1)?.cosine ?? 0)) continue;
    near.push({ row, cosine });
    near.sort((one, two) => two.cosine - one.cosine || one.row - two.row);
    if (near.length > PLACED_AMONG) near.pop();
  }
  let [x, y, weights] = [0, 0, 0];
  for (const { row, cosine } of near) {
    const weight = Math.max(1e-6, cosine) ** 4;
    x += weight * (placed.x[row] ?? 0);
    y += weight * (placed.y[row] ?? 0);
    weights += weight;
  }
  const [nearest] = near;
  const theme =
    nearest !== undefined && nearest.cosine >= SAME_THEME ? (placed.themes[nearest.row] ?? -1) : -1;
  return weights > 0 ? { x: x / weights, y: y / weights, theme } : { x: 0, y: 0, theme: -1 };
}

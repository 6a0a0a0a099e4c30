import { layOutByNeighbours, unitSpread } from './map/neighbour-layout.ts';
import { principalPlane } from './map/principal-components.ts';
import { themesOf } from './map/themes.ts';
import { type NeighbourPool, packVectors } from './neighbours.ts';

/** Positions and themes of points on a map, by index of the point. Theme -1 means no theme. */
export interface PlacedPoints {
  x: Float64Array;
  y: Float64Array;
  themes: Int32Array;
}

const NEIGHBOUR_COUNT = 30;
/**
 * Minimum number of points for the neighborhood layout. With fewer points, all are neighbors of
 * each other.
 */
const MIN_LAYOUT_POINTS = 5;
/** A new point is placed between this number of existing points. */
const PLACEMENT_NEIGHBOURS = 3;
/** Minimum similarity to the nearest existing point for a new point to get its theme. */
const MIN_THEME_SIMILARITY = 0.3;

/**
 * Places points (vectors of length 1) on a two-dimensional map, so that similar points are close to
 * each other. Projects them onto their principal plane, then moves neighbors together.
 * Deterministic; a small change of the points changes the map little. Yields to other work
 * regularly.
 */
export async function placePoints(
  points: readonly Float32Array[],
  pool: NeighbourPool,
): Promise<PlacedPoints> {
  const plane = await principalPlane(points);
  if (points.length < MIN_LAYOUT_POINTS) {
    const [x, y] = unitSpread(...plane);
    return { x, y, themes: new Int32Array(points.length).fill(-1) };
  }
  const dimensions = points[0]?.length ?? 0;
  const vectors = packVectors(points, dimensions);
  const found = await pool.nearest({ vectors, k: Math.min(NEIGHBOUR_COUNT, points.length - 1) });
  const neighbours = { k: found.k, rows: found.ids, cosines: found.scores };
  const [x, y] = await layOutByNeighbours(plane, neighbours);
  return { x, y, themes: themesOf(points, neighbours) };
}

/**
 * Places new points on an existing map, each between the existing points most similar to it. A new
 * point gets the theme of the most similar point if that is similar enough.
 */
export async function placeAmong(
  further: readonly Float32Array[],
  points: readonly Float32Array[],
  placed: PlacedPoints,
  pool: NeighbourPool,
): Promise<{ x: number; y: number; theme: number }[]> {
  const places: { x: number; y: number; theme: number }[] = [];
  // The pool also finds other new points, which have no position yet. With small batches, they
  // cannot crowd out all existing points.
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
  const found = await pool.nearest({
    vectors,
    rows,
    k: Math.max(1, Math.min(NEIGHBOUR_COUNT, all.length - 1)),
  });
  return further.map((_, index) => {
    const near: { row: number; cosine: number }[] = [];
    for (let place = index * found.k; place < (index + 1) * found.k; place += 1) {
      const row = found.ids[place] ?? points.length;
      if (row < points.length && near.length < PLACEMENT_NEIGHBOURS)
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
  const theme = nearest.cosine >= MIN_THEME_SIMILARITY ? (placed.themes[nearest.row] ?? -1) : -1;
  return { x: x / weights, y: y / weights, theme };
}

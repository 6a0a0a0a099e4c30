import { layOutByNeighbours, unitSpread } from './map/neighbour-layout.ts';
import { principalPlane } from './map/principal-components.ts';
import { themesOf } from './map/themes.ts';
import { type NeighbourPool, packVectors } from './neighbours.ts';

/** Positions of points on a map, by row. A theme of -1 means none. */
export interface PlacedPoints {
  x: Float64Array;
  y: Float64Array;
  themes: Int32Array;
}

const NEIGHBOUR_COUNT = 30;
/** Minimum number of points for the layout. Fewer points have no neighborhoods to preserve. */
const MIN_LAYOUT_POINTS = 5;
/** Number of existing points between which a later point is placed. */
const PLACEMENT_NEIGHBOURS = 3;
/** Minimum similarity of two points of the same theme. */
const MIN_THEME_SIMILARITY = 0.3;

/**
 * Places points (vectors of length 1) on a map where similar points are close. Projects them on
 * their principal plane and then pulls neighbors together. Deterministic, and stable under small
 * changes. Yields to other work regularly.
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
 * Places further points on a map, each between its most similar points. A point joins the theme of
 * its nearest point if that is near enough.
 */
export async function placeAmong(
  further: readonly Float32Array[],
  points: readonly Float32Array[],
  placed: PlacedPoints,
  pool: NeighbourPool,
): Promise<{ x: number; y: number; theme: number }[]> {
  const places: { x: number; y: number; theme: number }[] = [];
  // In a large batch, all neighbors of a point might be points without a position.
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

import { placePoints } from '@winnow/analysis/issue-map';
import { principalPlane } from '@winnow/analysis/map/principal-components';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import type { Reports } from '../../data/search-account.ts';
import type { Emit } from '../run.ts';

const MAP_POINTS = 2_000;
/** Number of nearest points on the map that are compared with the true nearest neighbors. */
const NEAREST = 10;
/** Every twentieth point is replaced, to measure how far the other points move. */
const CHANGE_INTERVAL = 20;

/**
 * Measures how well the map of the Hadoop reports preserves neighborhoods. Compares it with a
 * principal component analysis and with random positions.
 */
export async function measureMap(emit: Emit, { vectors }: Reports): Promise<void> {
  const directions = centered(vectors);
  const points = directions.slice(0, MAP_POINTS);
  const pool = new NeighbourPool();
  const began = performance.now();
  const map = await placePoints(points, pool);
  emit({
    name: 'map',
    value: Math.round(performance.now() - began),
    unit: 'ms',
    detail: { points: MAP_POINTS },
  });
  const plane = await principalPlane(points);
  const places = points.map((_, row) => (row * 7_919) % MAP_POINTS);
  const chance = Float64Array.from(places, (place) => Math.sqrt(place * 0.618) % 1);
  const maps = { map: [map.x, map.y], components: plane, chance: [chance, chance.toReversed()] };
  for (const [name, [x, y]] of Object.entries(maps)) {
    if (x === undefined || y === undefined) continue;
    const detail = { points: MAP_POINTS, nearest: NEAREST };
    emit({ name: `${name}.trustworthiness`, value: trustworthiness(points, x, y), unit: 'ratio', detail });
  }
  const changed = points.map((point, row) =>
    row % CHANGE_INTERVAL === 0 ? (directions[MAP_POINTS + row / CHANGE_INTERVAL] ?? point) : point,
  );
  const later = await placePoints(changed, pool);
  const moves = points
    .flatMap((_, row) =>
      row % CHANGE_INTERVAL === 0
        ? []
        : [Math.hypot((map.x[row] ?? 0) - (later.x[row] ?? 0), (map.y[row] ?? 0) - (later.y[row] ?? 0))],
    )
    .sort((a, b) => a - b);
  emit({
    name: 'map.moved, median',
    value: moves[Math.floor(moves.length / 2)] ?? 0,
    unit: 'spread',
    detail: { changed: `1 in ${CHANGE_INTERVAL}`, p90: moves[Math.floor(moves.length * 0.9)] },
  });
  const themes = new Set(map.themes);
  themes.delete(-1);
  emit({
    name: 'map.themes',
    value: themes.size,
    unit: 'themes',
    detail: {
      lone: map.themes.filter((theme) => theme < 0).length,
      largest: map.themes.filter((theme) => theme === 0).length,
    },
  });
  await pool.close();
}

/** Subtracts the mean from the vectors, as the product does. */
function centered(vectors: readonly Float32Array[]): Float32Array[] {
  const mean = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value / vectors.length;
  }
  return vectors.map((vector) => {
    const moved = vector.map((value, at) => value - (mean[at] ?? 0));
    const length = Math.hypot(...moved);
    return moved.map((value) => value / length);
  });
}

/**
 * Returns the trustworthiness of the map (Venna and Kaski 2001). It is 1 if the nearest points on
 * the map are true neighbors, and about 0.5 for random positions.
 */
function trustworthiness(points: readonly Float32Array[], x: Float64Array, y: Float64Array): number {
  const count = points.length;
  let strangeness = 0;
  for (const [row, point] of points.entries()) {
    const likeness = Float64Array.from(points, (other) => {
      let sum = 0;
      for (let at = 0; at < other.length; at += 1) sum += (point[at] ?? 0) * (other[at] ?? 0);
      return sum;
    });
    const distance = Float64Array.from(
      points,
      (_, other) => ((x[other] ?? 0) - (x[row] ?? 0)) ** 2 + ((y[other] ?? 0) - (y[row] ?? 0)) ** 2,
    );
    const others = [...points.keys()].filter((other) => other !== row);
    const trueRank = new Map(
      others
        .toSorted((a, b) => (likeness[b] ?? 0) - (likeness[a] ?? 0))
        .map((other, rank) => [other, rank + 1]),
    );
    const near = others.sort((a, b) => (distance[a] ?? 0) - (distance[b] ?? 0)).slice(0, NEAREST);
    for (const other of near) strangeness += Math.max(0, (trueRank.get(other) ?? 0) - NEAREST);
  }
  return 1 - (2 / (count * NEAREST * (2 * count - 3 * NEAREST - 1))) * strangeness;
}

import { afterAll, describe, expect, test } from 'vitest';
import { placeAmong, placePoints } from './issue-map.ts';
import { NeighbourPool } from './neighbours.ts';

const pool = new NeighbourPool({ workers: 1 });
afterAll(() => pool.close());

const DIMENSIONS = 16;

/**
 * Returns a generator of pseudo-random numbers in [-0.5, 0.5). The same seed gives the same
 * numbers.
 */
function numbers(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000 - 0.5;
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Returns `count` points. They are distributed in turn around `middles` centers. */
function groups(count: number, middles: number, seed = 1): Float32Array[] {
  const next = numbers(seed);
  const centers = Array.from({ length: middles }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => next() * 2),
  );
  return Array.from({ length: count }, (_, index) =>
    unit((centers[index % middles] ?? new Float32Array(DIMENSIONS)).map((value) => value + next() * 0.4)),
  );
}

function distance(map: { x: Float64Array; y: Float64Array }, one: number, other: number): number {
  return Math.hypot((map.x[one] ?? 0) - (map.x[other] ?? 0), (map.y[one] ?? 0) - (map.y[other] ?? 0));
}

describe('a map', () => {
  test('the points of a group are close together and form a theme', async () => {
    const points = groups(120, 4);
    const map = await placePoints(points, pool);
    for (let row = 0; row < points.length; row += 1) {
      const others = points.map((_, other) => other).filter((other) => other !== row);
      const nearest = others.sort((a, b) => distance(map, row, a) - distance(map, row, b)).slice(0, 8);
      expect(nearest.filter((other) => other % 4 === row % 4).length).toBeGreaterThanOrEqual(7);
    }
    expect(Math.max(...map.themes)).toBeGreaterThanOrEqual(3);
    for (const [row, theme] of map.themes.entries()) {
      const same = [...map.themes.keys()].filter((other) => map.themes[other] === theme && theme >= 0);
      expect(same.every((other) => other % 4 === row % 4)).toBe(true);
    }
  });

  test('equal points give an equal map, and one changed point gives a similar map', async () => {
    const points = groups(100, 5);
    const map = await placePoints(points, pool);
    expect(await placePoints(points, pool)).toEqual(map);
    const changed = await placePoints([...points.slice(0, 99), ...groups(1, 1, 99)], pool);
    const moves = points
      .slice(0, 99)
      .map((_, row) =>
        Math.hypot((map.x[row] ?? 0) - (changed.x[row] ?? 0), (map.y[row] ?? 0) - (changed.y[row] ?? 0)),
      );
    expect(moves.sort((a, b) => a - b)[49]).toBeLessThan(0.25);
  });

  test('an outlier is placed away from the groups and has no theme', async () => {
    const lone = new Float32Array(DIMENSIONS).fill(0);
    lone[3] = 1;
    const others = groups(40, 2).map((point) => unit(point.map((value, at) => (at === 3 ? 0 : value))));
    expect((await placePoints([...others, lone], pool)).themes[40]).toBe(-1);
  });

  test.each([0, 1, 2, 4, 5, 6])(
    'all %i points of a map have finite positions, also if the points are equal',
    async (count) => {
      for (const points of [
        groups(count, 2),
        Array.from({ length: count }, () => unit(new Float32Array(DIMENSIONS).fill(1))),
      ]) {
        const { x, y, themes } = await placePoints(points, pool);
        expect([x.length, y.length, themes.length]).toEqual([count, count, count]);
        expect([...x, ...y].every(Number.isFinite)).toBe(true);
      }
    },
  );

  test('a new point is placed among similar points', async () => {
    const points = groups(124, 4);
    const map = await placePoints(points.slice(0, 120), pool);
    const places = await placeAmong(points.slice(120), points.slice(0, 120), map, pool);
    for (const [index, place] of places.entries()) {
      const nearest = [...map.x.keys()].sort(
        (a, b) =>
          Math.hypot((map.x[a] ?? 0) - place.x, (map.y[a] ?? 0) - place.y) -
          Math.hypot((map.x[b] ?? 0) - place.x, (map.y[b] ?? 0) - place.y),
      );
      expect((nearest[0] ?? 0) % 4).toBe(index % 4);
    }
  });
});

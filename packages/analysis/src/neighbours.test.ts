import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  NeighbourPool,
  type NeighbourRequest,
  type NeighbourResult,
  NeighboursUnavailable,
  noNeighbour,
  type PackedVectors,
  packVectors,
} from './neighbours.ts';

const one = new NeighbourPool({ workers: 1 });
const two = new NeighbourPool({ workers: 2 });
afterAll(() => Promise.all([one.close(), two.close()]));

/**
 * Returns a generator of pseudo-random numbers from -1 to 1. The same seed gives the same numbers.
 */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
}

/**
 * Returns vectors of length 1 around a few centers, so that near vectors differ clearly from all
 * others.
 */
function someVectors(count: number, dimensions: number, seed = 1): Float32Array[] {
  const next = numbers(seed);
  const centers = Array.from({ length: 7 }, () => Float32Array.from({ length: dimensions }, next));
  return Array.from({ length: count }, (_, row) =>
    unit(Float32Array.from({ length: dimensions }, (_, i) => next() + 0.5 * (centers[row % 7]?.[i] ?? 0))),
  );
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Computes the nearest neighbors in a simple way, row by row with integers. */
function bruteForce({ vectors, rows, k, groups, floor }: NeighbourRequest): NeighbourResult {
  const { count, dimensions, data, scale } = vectors;
  const wanted = rows ?? Uint32Array.from({ length: count }, (_, row) => row);
  const ids = new Uint32Array(wanted.length * k).fill(noNeighbour);
  const scores = new Float32Array(wanted.length * k);
  for (const [index, row] of wanted.entries()) {
    const candidates: { other: number; score: number }[] = [];
    for (let other = 0; other < count; other++) {
      if (other === row || (groups !== undefined && groups[other] !== groups[row])) continue;
      let score = 0;
      for (let i = 0; i < dimensions; i++) {
        score += (data[row * dimensions + i] ?? 0) * (data[other * dimensions + i] ?? 0);
      }
      if (floor === undefined || score >= floor * scale ** 2) candidates.push({ other, score });
    }
    candidates.sort((a, b) => b.score - a.score || a.other - b.other);
    for (const [place, { other, score }] of candidates.slice(0, k).entries()) {
      ids[index * k + place] = other;
      scores[index * k + place] = score / scale ** 2;
    }
  }
  return { k, ids, scores };
}

/** Expects a pool with one thread and a pool with two threads to return the exact result. */
async function expectExact(request: NeighbourRequest): Promise<void> {
  const expected = bruteForce(request);
  for (const pool of [one, two]) {
    const { ids, scores } = await pool.nearest(request);
    expect(ids).toEqual(expected.ids);
    expect(scores).toEqual(expected.scores);
  }
}

describe('packVectors', () => {
  test('refuses vectors that have another size, are longer than 1, or are not finite', () => {
    expect(() => packVectors([new Float32Array(3)], 4)).toThrow(/3 dimensions, not 4/);
    expect(() => packVectors([Float32Array.of(1, 1)], 2)).toThrow(/longer than 1/);
    expect(() => packVectors([Float32Array.of(Number.NaN, 0)], 2)).toThrow(RangeError);
  });

  test('preserves dot products within .0001', () => {
    const vectors = someVectors(20, 384);
    const { data, scale } = packVectors(vectors, 384);
    const [a, b] = vectors;
    let exact = 0;
    let packed = 0;
    for (let i = 0; i < 384; i++) {
      exact += (a?.[i] ?? 0) * (b?.[i] ?? 0);
      packed += ((data[i] ?? 0) * (data[384 + i] ?? 0)) / scale ** 2;
    }
    expect(Math.abs(exact - packed)).toBeLessThan(0.0001);
  });
});

describe('an invalid request', () => {
  const vectors = packVectors(someVectors(5, 8), 8);

  test('is refused with a reason', async () => {
    await expect(one.nearest({ vectors, k: 0 })).rejects.toThrow(/k must be 1 or more/);
    await expect(one.nearest({ vectors, k: 2, rows: Uint32Array.of(5) })).rejects.toThrow(/no row 5/);
    await expect(one.nearest({ vectors, k: 2, groups: new Uint32Array(4) })).rejects.toThrow(/4 groups/);
    await expect(one.nearest({ vectors, k: 2, floor: Number.NaN })).rejects.toThrow(/floor/);
    await expect(one.nearest({ vectors: { ...vectors, count: 6 }, k: 2 })).rejects.toThrow(/too few/);
    expect(() => new NeighbourPool({ workers: 0 })).toThrow(RangeError);
  });

  test('is refused after the pool was closed, even if the search had started', async () => {
    const pool = new NeighbourPool({ workers: 2 });
    const underWay = pool.nearest({ vectors: packVectors(someVectors(3000, 384), 384), k: 5 });
    const outcome = underWay.catch((error: unknown) => error);
    await pool.close();
    expect(await outcome).toBeInstanceOf(NeighboursUnavailable);
    await expect(pool.nearest({ vectors, k: 1 })).rejects.toThrow(NeighboursUnavailable);
  });
});

describe('nearest', () => {
  test('finds nothing among no vectors, and nothing for a single vector', async () => {
    expect((await one.nearest({ vectors: packVectors([], 8), k: 3 })).ids).toEqual(new Uint32Array(0));
    const lone = await two.nearest({ vectors: packVectors(someVectors(1, 8), 8), k: 3 });
    expect([...lone.ids]).toEqual([noNeighbour, noNeighbour, noNeighbour]);
    expect([...lone.scores]).toEqual([0, 0, 0]);
  });

  // The large numbers of vectors are searched in threads, with several tiles.
  test.each([2, 3, 5, 63, 64, 65, 127, 129, 511, 513, 1000, 1027])(
    'is exact among %i vectors',
    async (count) => {
      await expectExact({ vectors: packVectors(someVectors(count, 24), 24), k: 6 });
    },
  );

  test('is exact at 384 dimensions, and at dimensions that need padding', async () => {
    for (const dimensions of [1, 7, 31, 33, 384]) {
      await expectExact({ vectors: packVectors(someVectors(530, dimensions), dimensions), k: 4 });
    }
  });

  test('returns all other vectors if k exceeds their number', async () => {
    await expectExact({ vectors: packVectors(someVectors(9, 16), 16), k: 20 });
    await expectExact({
      vectors: packVectors(someVectors(700, 16), 16),
      k: 900,
      rows: Uint32Array.of(3, 699),
    });
  });

  test('is exact for a subset of rows in its order, with repeated rows, and for nearly all rows', async () => {
    const vectors = packVectors(someVectors(1100, 16), 16);
    await expectExact({ vectors, k: 5, rows: Uint32Array.of(1099, 0, 512, 0) });
    await expectExact({ vectors, k: 5, rows: Uint32Array.from({ length: 300 }, (_, i) => i * 3) });
    await expectExact({ vectors, k: 5, rows: Uint32Array.from({ length: 1000 }, (_, i) => 1099 - i) });
    await expectExact({ vectors, k: 5, rows: new Uint32Array(0) });
  });

  test('finds neighbors only within groups: large, small, and of one row', async () => {
    const vectors = packVectors(someVectors(1300, 16), 16);
    const groups = Uint32Array.from({ length: 1300 }, (_, row) =>
      row < 900 ? 4 : row < 1200 ? row % 7 : 1000 + row,
    );
    await expectExact({ vectors, k: 5, groups });
    await expectExact({ vectors, k: 5, groups, rows: Uint32Array.of(3, 950, 1299, 1250) });
  });

  test('omits scores below the floor, and includes scores equal to it', async () => {
    const vectors = packVectors(someVectors(600, 16), 16);
    await expectExact({ vectors, k: 8, floor: 0.5 });
    await expectExact({ vectors, k: 8, floor: 2 });
    const axes = packVectors([Float32Array.of(1, 0), Float32Array.of(1, 0), Float32Array.of(0, 1)], 2);
    expect([...(await one.nearest({ vectors: axes, k: 2, floor: 0 })).ids]).toEqual([1, 2, 0, 2, 0, 1]);
    expect([...(await one.nearest({ vectors: axes, k: 2, floor: 1 })).ids]).toEqual([
      1,
      noNeighbour,
      0,
      noNeighbour,
      noNeighbour,
      noNeighbour,
    ]);
  });

  test('prefers the lower row if scores are equal, with hundreds of equal vectors and zero vectors', async () => {
    const distinct = someVectors(3, 16);
    const zero = new Float32Array(16);
    const vectors = Array.from({ length: 1100 }, (_, row) =>
      row % 5 === 0 ? zero : (distinct[row % 3] ?? zero),
    );
    await expectExact({ vectors: packVectors(vectors, 16), k: 10 });
  });

  test('is exact with the largest and smallest possible vectors', async () => {
    const axis = (i: number, sign: number): Float32Array => new Float32Array(32).fill(sign, i, i + 1);
    const vectors = Array.from({ length: 600 }, (_, row) => axis(row % 32, row % 3 === 0 ? -1 : 1));
    await expectExact({ vectors: packVectors(vectors, 32), k: 12 });
  });

  test('completes a short request while a long one is in progress', async () => {
    const long = packVectors(someVectors(6000, 384), 384);
    const short = packVectors(someVectors(5000, 384, 2), 384);
    const ended: string[] = [];
    await one.nearest({ vectors: short, k: 1, rows: Uint32Array.of(0) });
    await Promise.all([
      one.nearest({ vectors: long, k: 5 }).then(() => ended.push('long')),
      one.nearest({ vectors: short, k: 5, rows: Uint32Array.of(7) }).then(() => ended.push('short')),
    ]);
    expect(ended).toEqual(['short', 'long']);
  });

  test('is exact for any request', async () => {
    const coarse = fc.integer({ min: -2, max: 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          dimensions: fc.integer({ min: 1, max: 40 }),
          count: fc.integer({ min: 0, max: 90 }),
          seed: fc.integer(),
          k: fc.integer({ min: 1, max: 12 }),
          groupCount: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
          floor: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
          picked: fc.option(fc.array(fc.nat(1000), { maxLength: 30 }), { nil: undefined }),
          values: fc.array(coarse, { minLength: 1, maxLength: 50 }),
        }),
        async ({ dimensions, count, seed, k, groupCount, floor, picked, values }) => {
          const next = numbers(seed);
          const vectors = Array.from({ length: count }, () =>
            unit(
              Float32Array.from(
                { length: dimensions },
                () => values[Math.floor(Math.abs(next()) * values.length)] ?? 0,
              ),
            ),
          );
          const packed: PackedVectors = packVectors(vectors, dimensions);
          await expectExact({
            vectors: packed,
            k,
            ...(groupCount === undefined
              ? {}
              : { groups: Uint32Array.from({ length: count }, (_, row) => (row * 7) % groupCount) }),
            ...(floor === undefined ? {} : { floor }),
            ...(picked === undefined || count === 0
              ? {}
              : { rows: Uint32Array.from(picked, (row) => row % count) }),
          });
        },
      ),
      { numRuns: 150 },
    );
  });
});

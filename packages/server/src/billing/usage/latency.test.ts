import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histogramOf, mergeHistograms, quantileOf } from './latency.ts';

/** Maximum relative error of an estimated quantile. */
const RELATIVE_ERROR = 0.05;
const durations = fc.array(fc.double({ min: 0.5, max: 200_000, noNaN: true }), {
  minLength: 1,
  maxLength: 60,
});

function histogramOfAll(all: readonly number[]) {
  return all.map(histogramOf).reduce(mergeHistograms, []);
}

/** Returns the exact quantile by the nearest-rank method. */
function exactly(all: readonly number[], quantile: number): number {
  const sorted = all.toSorted((left, right) => left - right);
  return sorted[Math.max(1, Math.ceil(quantile * sorted.length)) - 1] ?? Number.NaN;
}

test('a quantile of any durations is within 5 % of the exact one', () => {
  fc.assert(
    fc.property(durations, fc.constantFrom(0, 0.01, 0.5, 0.95, 0.99, 1), (all, quantile) => {
      const exact = exactly(all, quantile);
      const told = quantileOf(histogramOfAll(all), quantile) ?? Number.NaN;
      expect(Math.abs(told - exact) / exact).toBeLessThan(RELATIVE_ERROR);
    }),
    { numRuns: 2_000 },
  );
});

test('merging histograms gives the same result in any order and grouping', () => {
  fc.assert(
    fc.property(durations, durations, durations, (first, second, third) => {
      const [a, b, c] = [first, second, third].map(histogramOfAll) as [number[], number[], number[]];
      const all = histogramOfAll([...first, ...second, ...third]);
      expect(mergeHistograms(mergeHistograms(a, b), c)).toEqual(all);
      expect(mergeHistograms(c, mergeHistograms(b, a))).toEqual(all);
      expect(all.reduce((sum, count) => sum + count, 0)).toBe(first.length + second.length + third.length);
    }),
  );
});

test('an empty histogram has no quantile, and extreme durations are in the outer buckets', () => {
  expect(quantileOf([], 0.5)).toBeNull();
  expect([0, 0.2, 0.5, -1, Number.NaN].map((ms) => quantileOf(histogramOf(ms), 0.5))).toEqual(
    Array.from({ length: 5 }, () => 0.5),
  );
  const longest = histogramOf(Number.POSITIVE_INFINITY);
  expect(longest.length).toBeLessThanOrEqual(140);
  expect(histogramOf(10 * 60_000)).toEqual(longest);
});

import { expect, test } from 'vitest';
import {
  averagePrecision,
  bootstrap,
  calibrationError,
  calibrationErrorByChance,
  meanReciprocalRank,
  precisionAt,
  recallAt,
  wilson,
} from './measures.ts';

const best = (labels: string) =>
  [...labels].map((label, at) => ({ score: 1 - at / 100, isLabelled: label === '+' }));

test('counts a duplicate that was not found as missed', () => {
  expect(recallAt([1, 3, Number.POSITIVE_INFINITY, 11], 10)).toBe(0.5);
  expect(meanReciprocalRank([1, 2, Number.POSITIVE_INFINITY])).toBe(0.5);
});

test('divides average precision by all queries, independent of their order', () => {
  expect(averagePrecision(best('+-+'), 4)).toBeCloseTo((1 + 2 / 3) / 4);
  expect(averagePrecision(best('+-+').reverse(), 4)).toBeCloseTo((1 + 2 / 3) / 4);
});

test('counts only the issues with the highest scores for precision', () => {
  expect(precisionAt(best('+-++').reverse(), 2)).toBe(0.5);
});

test('computes the published interval for 66 queries with 71 % found', () => {
  expect(wilson(47 / 66, 66).map((bound) => Number(bound.toFixed(3)))).toEqual([0.594, 0.807]);
});

test('weights the calibration error of each bin by its pairs', () => {
  expect(calibrationError([])).toBe(0);
  const low = [false, false, true].map((isRight) => ({ probability: 0.15, isRight }));
  const high = { probability: 0.85, isRight: true };
  const [gapOfLow, gapOfHigh] = [1 / 3 - 0.15, 1 - 0.85];
  expect(calibrationError([...low, high])).toBeCloseTo((3 * gapOfLow + gapOfHigh) / 4);
});

test('does not let errors in opposite directions cancel out between bins', () => {
  const pairs = [
    { probability: 0.25, isRight: true },
    { probability: 0.75, isRight: false },
  ];
  expect(calibrationError(pairs)).toBeCloseTo(0.75);
});

test('expects the calibration error of exact probabilities by chance', () => {
  const probabilities = [0.13, 0.18, 0.42, 0.47, 0.85];
  const pairs = Array.from({ length: 500 }, (_, at) => ({ probability: probabilities[at % 5] ?? 0 }));
  // A linear congruential generator produces the same numbers in every run.
  let state = 1;
  const draw = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const errors = Array.from({ length: 400 }, () =>
    calibrationError(pairs.map(({ probability }) => ({ probability, isRight: draw() < probability }))),
  );
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  expect(calibrationErrorByChance(pairs)).toBeCloseTo(mean, 2);
  expect(calibrationErrorByChance(pairs)).toBeGreaterThan(0.02);
  expect(calibrationErrorByChance([])).toBe(0);
});

test('bootstraps the same interval in every run, close to the normal one for a mean', () => {
  const items = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 1 : 0));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [low, high] = bootstrap(items, mean);
  expect(bootstrap(items, mean)).toEqual([low, high]);
  expect(low).toBeCloseTo(0.5 - 1.96 * 0.025, 2);
  expect(high).toBeCloseTo(0.5 + 1.96 * 0.025, 2);
  expect(bootstrap([3, 3, 3], mean)).toEqual([3, 3]);
});

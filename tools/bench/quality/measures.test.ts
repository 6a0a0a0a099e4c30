import { expect, test } from 'vitest';
import { averagePrecision, meanReciprocalRank, precisionAt, recallAt, wilson } from './measures.ts';

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

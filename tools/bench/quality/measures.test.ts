import { expect, test } from 'vitest';
import { averagePrecision, meanReciprocalRank, precisionAt, recallAt, wilson } from './measures.ts';

const best = (labels: string) =>
  [...labels].map((label, at) => ({ score: 1 - at / 100, isLabelled: label === '+' }));

test('a duplicate that was not found counts as missed', () => {
  expect(recallAt([1, 3, Number.POSITIVE_INFINITY, 11], 10)).toBe(0.5);
  expect(meanReciprocalRank([1, 2, Number.POSITIVE_INFINITY])).toBe(0.5);
});

test('average precision divides by all queries, found or not, and does not depend on the order given', () => {
  expect(averagePrecision(best('+-+'), 4)).toBeCloseTo((1 + 2 / 3) / 4);
  expect(averagePrecision(best('+-+').reverse(), 4)).toBeCloseTo((1 + 2 / 3) / 4);
});

test('precision counts the best-scored issues only', () => {
  expect(precisionAt(best('+-++').reverse(), 2)).toBe(0.5);
});

test('the interval of 66 queries with 71 % found is the published one', () => {
  expect(wilson(47 / 66, 66).map((bound) => Number(bound.toFixed(3)))).toEqual([0.594, 0.807]);
});

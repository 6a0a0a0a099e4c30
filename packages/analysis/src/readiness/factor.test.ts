import { describe, expect, test } from 'vitest';
import { factorOf, judgedShareOf } from './factor.ts';

const criteria = (...scores: (number | null)[]) => scores.map((score) => ({ score, weight: 0.5 }));

describe('the score of criteria', () => {
  test.each([
    [[1, 0.5], 0.75],
    [[0.5, null], 0.5],
    [[0, 0], 0.01],
    [[null, null], 0],
    [[], 0],
  ])('of %j is %d', (scores, factor) => {
    expect(factorOf(criteria(...scores))).toBe(factor);
  });

  test('is 1 only if every criterion has the maximum score', () => {
    expect(factorOf(criteria(1, 1, null))).toBe(1);
    expect(
      factorOf([
        { weight: 0.85, score: 1 },
        { weight: 0.15, score: 0.97 },
      ]),
    ).toBe(0.99);
  });
});

describe('the share of the weight that was judged', () => {
  test.each([
    [[1, 0], 1],
    [[1, null], 0.5],
    [[null, null], 0],
  ])('of %j is %d', (scores, share) => {
    expect(judgedShareOf(criteria(...scores))).toBe(share);
  });

  test('is below 1 if any criterion was not judged', () => {
    expect(
      judgedShareOf([
        { weight: 0.999, score: 1 },
        { weight: 0.001, score: null },
      ]),
    ).toBe(0.99);
  });
});

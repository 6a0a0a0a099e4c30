import { expect, test } from 'vitest';
import { isWorthAsking, valueOfAsking } from './question-value.ts';

const pair = (probability: number, { similarity = 0.5, isUndecided = true } = {}) => ({
  similarity,
  likelihood: { probability },
  isUndecided,
});

test('asks only if the probability is between the two bounds, and never about equal texts', () => {
  expect([0, 0.099, 0.1, 0.5, 0.899, 0.9, 1].filter((p) => isWorthAsking(pair(p)))).toEqual([
    0.1, 0.5, 0.899,
  ]);
  expect(isWorthAsking(pair(0.5, { similarity: 1 }))).toBe(false);
});

test('orders by uncertainty and probability; pairs that need no decision come last', () => {
  const decided = pair(0.66, { isUndecided: false });
  const byValue = [0.12, 0.88, 0.66, 0.5, 0.3]
    .map((p) => pair(p))
    .concat(decided)
    .toSorted((one, other) => valueOfAsking(other) - valueOfAsking(one));
  expect(byValue.at(-1)).toBe(decided);
  expect(byValue.slice(0, -1).map(({ likelihood }) => likelihood.probability)).toEqual([
    0.66, 0.5, 0.88, 0.3, 0.12,
  ]);
});

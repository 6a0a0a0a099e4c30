import { expect, test } from 'vitest';
import { judgedPairsOf } from './judged-pairs.ts';

const rust = [
  { id: '53', createdAt: Date.parse('2010-06-22T22:00:00Z') },
  { id: '54', createdAt: Date.parse('2010-06-22T23:12:57Z') },
];

test('returns no pairs for an unknown set with the same issue numbers', () => {
  const stranger = rust.map((issue) => ({ ...issue, createdAt: issue.createdAt + 1000 }));
  expect(judgedPairsOf(stranger)).toEqual([]);
  expect(judgedPairsOf([])).toEqual([]);
});

test('returns only the pairs of the recognized set', () => {
  const hadoop = [{ id: '13474886', createdAt: Date.parse('2022-08-03T12:31:00Z') }];
  const sets = (issues: typeof rust) => new Set(judgedPairsOf(issues).map(({ set }) => set));
  expect(sets(rust)).toEqual(new Set(['rust']));
  expect(sets(hadoop)).toEqual(new Set(['hadoop']));
});

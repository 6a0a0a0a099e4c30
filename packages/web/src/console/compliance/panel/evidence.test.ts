import { expect, test } from 'vitest';
import { evidencePassages } from './evidence.ts';

const criteria = [
  { id: 'goal', evidence: [{ field: 'description', start: 0, end: 4, quote: 'Sync' }] },
  {
    id: 'scope',
    evidence: [
      { field: 'title', start: 0, end: 4, quote: 'Sync' },
      { field: 'description', start: 2, end: 9, quote: 'nc stal' },
    ],
  },
] as const satisfies Parameters<typeof evidencePassages>[0];

test('while no criterion is looked at, the words of all are marked', () => {
  expect(evidencePassages(criteria, 'description', null)).toEqual([
    { start: 0, end: 4, number: 1 },
    { start: 2, end: 9, number: 2 },
  ]);
});

test('of the criterion that is looked at its own words are, under its number, in the text that has them', () => {
  expect(evidencePassages(criteria, 'description', 'scope')).toEqual([{ start: 2, end: 9, number: 2 }]);
  expect(evidencePassages(criteria, 'title', 'scope')).toEqual([{ start: 0, end: 4, number: 2 }]);
  expect(evidencePassages(criteria, 'title', 'goal')).toEqual([]);
});

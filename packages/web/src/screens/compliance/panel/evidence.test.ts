import { expect, test } from 'vitest';
import { evidencePassages, shownCriterion } from './evidence.ts';

const issue = { title: 'Sync', description: 'Sync stalls' };
const criteria = [
  { id: 'goal', evidence: [{ field: 'description', start: 0, end: 4, quote: 'Sync' }] },
  {
    id: 'scope',
    evidence: [
      { field: 'title', start: 0, end: 4, quote: 'Sync' },
      { field: 'description', start: 2, end: 9, quote: 'nc stal' },
    ],
  },
  { id: 'approach', evidence: [] },
] as const satisfies Parameters<typeof evidencePassages>[0];

test('while no criterion is looked at, the words of all are marked', () => {
  expect(evidencePassages(criteria, issue, 'description', null)).toEqual([
    { start: 0, end: 4, number: 1 },
    { start: 2, end: 9, number: 2 },
  ]);
});

test('of the criterion that is looked at its own words are, under its number, in the text that has them', () => {
  expect(evidencePassages(criteria, issue, 'description', 'scope')).toEqual([
    { start: 2, end: 9, number: 2 },
  ]);
  expect(evidencePassages(criteria, issue, 'title', 'scope')).toEqual([{ start: 0, end: 4, number: 2 }]);
  expect(evidencePassages(criteria, issue, 'title', 'goal')).toEqual([]);
});

test('of a text that was changed since it was scored, only what still stands there is marked', () => {
  const changed = { ...issue, description: 'Sync, the new one, stalls' };
  expect(evidencePassages(criteria, changed, 'description', null)).toEqual([{ start: 0, end: 4, number: 1 }]);
});

test('looking at a criterion that rests on no words leaves the marks as they were', () => {
  expect(shownCriterion(criteria, ['approach', 'scope'])).toBe('scope');
  expect(shownCriterion(criteria, ['approach', null])).toBeNull();
  expect(shownCriterion(criteria, ['goal', 'scope'])).toBe('goal');
});

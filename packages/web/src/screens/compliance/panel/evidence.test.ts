import { expect, test } from 'vitest';
import { activeCriterion, evidencePassages } from './evidence.ts';

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

test('marks the evidence of all criteria if none is active', () => {
  expect(evidencePassages(criteria, issue, 'description', null)).toEqual([
    { start: 0, end: 4, number: 1 },
    { start: 2, end: 9, number: 2 },
  ]);
});

test('marks only the evidence of the active criterion, with its number', () => {
  expect(evidencePassages(criteria, issue, 'description', 'scope')).toEqual([
    { start: 2, end: 9, number: 2 },
  ]);
  expect(evidencePassages(criteria, issue, 'title', 'scope')).toEqual([{ start: 0, end: 4, number: 2 }]);
  expect(evidencePassages(criteria, issue, 'title', 'goal')).toEqual([]);
});

test('omits evidence that differs from the text at its position', () => {
  const changed = { ...issue, description: 'Sync, the new one, stalls' };
  expect(evidencePassages(criteria, changed, 'description', null)).toEqual([{ start: 0, end: 4, number: 1 }]);
});

test('ignores criteria without evidence', () => {
  expect(activeCriterion(criteria, ['approach', 'scope'])).toBe('scope');
  expect(activeCriterion(criteria, ['approach', null])).toBeNull();
  expect(activeCriterion(criteria, ['goal', 'scope'])).toBe('goal');
});

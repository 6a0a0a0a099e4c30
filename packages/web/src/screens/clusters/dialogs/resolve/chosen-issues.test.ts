import { expect, test } from 'vitest';
import { chosenIssues } from './chosen-issues.ts';

const members = Array.from({ length: 619 }, (_, at) => ({ issue: { id: `${at}` } }));
const idsOf = (toggled: readonly [string, boolean][]) =>
  chosenIssues(members, new Map(toggled)).map(({ issue }) => Number(issue.id));

test('selects at most as many issues as the API closes in one request', () => {
  const first = Array.from({ length: 500 }, (_, at) => at);
  expect(idsOf([])).toEqual(first);
  expect(idsOf([['600', true]])).toEqual(first);
});

test('replaces a deselected issue only if the user selects another one', () => {
  expect(idsOf([['3', false]])).toHaveLength(499);
  const swapped = idsOf([
    ['3', false],
    ['600', true],
  ]);
  expect(swapped).toHaveLength(500);
  expect(swapped).toContain(600);
  expect(swapped).not.toContain(3);
});

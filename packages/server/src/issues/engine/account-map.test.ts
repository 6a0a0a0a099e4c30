import { expect, test } from 'vitest';
import { chooseFairly } from './account-map.ts';

const issues = (projectId: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${projectId}${String(index).padStart(3, '0')}`,
    projectId,
  }));

test('shows all issues of small projects, and equal numbers from large projects', () => {
  const chosen = chooseFairly([...issues('a', 100), ...issues('b', 3), ...issues('c', 60)], 43);
  const counts = Map.groupBy(chosen, ({ projectId }) => projectId);
  expect([...counts].map(([id, of]) => [id, of.length]).sort()).toEqual([
    ['a', 20],
    ['b', 3],
    ['c', 20],
  ]);
  expect(new Set(chosen.map(({ id }) => id)).size).toBe(43);
});

test('the choice does not depend on the order and barely changes with a new issue', () => {
  const all = issues('a', 80);
  const ids = (given: typeof all) => chooseFairly(given, 40).map(({ id }) => id);
  expect(ids(all.toReversed())).toEqual(ids(all));
  const kept = new Set(ids(all));
  expect(ids([{ id: 'a0005', projectId: 'a' }, ...all]).filter((id) => !kept.has(id))).toEqual(['a0005']);
});

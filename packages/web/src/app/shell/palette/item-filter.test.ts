import { expect, test } from 'vitest';
import { filterItems } from './item-filter.ts';

const groups = [
  {
    label: 'Screens',
    items: [{ label: 'Overview' }, { label: 'Similarity', description: 'Issues' }, { label: 'Issues board' }],
  },
  { label: 'Projects', items: [{ label: 'Skua Sync', description: 'skua/sync' }] },
];
const found = (typed: string) =>
  filterItems(groups, typed).map(({ label, items }) => [label, ...items.map((item) => item.label)]);

test('lists everything without input', () => {
  expect(found('  ')).toEqual([
    ['Screens', 'Overview', 'Similarity', 'Issues board'],
    ['Projects', 'Skua Sync'],
  ]);
});

test('matches names before descriptions, ignoring letter case', () => {
  expect(found('issues')).toEqual([['Screens', 'Issues board', 'Similarity']]);
  expect(found(' SKUA/ ')).toEqual([['Projects', 'Skua Sync']]);
});

test('omits groups without matches', () => {
  expect(found('nothing of the kind')).toEqual([]);
});

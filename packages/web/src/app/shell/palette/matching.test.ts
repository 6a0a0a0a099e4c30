import { expect, test } from 'vitest';
import { matching } from './matching.ts';

const groups = [
  {
    label: 'Screens',
    items: [{ label: 'Overview' }, { label: 'Similarity', description: 'Issues' }, { label: 'Issues board' }],
  },
  { label: 'Projects', items: [{ label: 'Skua Sync', description: 'skua/sync' }] },
];
const found = (typed: string) =>
  matching(groups, typed).map(({ label, items }) => [label, ...items.map((item) => item.label)]);

test('nothing typed offers everything', () => {
  expect(found('  ')).toEqual([
    ['Screens', 'Overview', 'Similarity', 'Issues board'],
    ['Projects', 'Skua Sync'],
  ]);
});

test('what is typed is looked for in names, then in descriptions, in whatever letter case', () => {
  expect(found('issues')).toEqual([['Screens', 'Issues board', 'Similarity']]);
  expect(found(' SKUA/ ')).toEqual([['Projects', 'Skua Sync']]);
});

test('a group without a line that fits is not there', () => {
  expect(found('nothing of the kind')).toEqual([]);
});

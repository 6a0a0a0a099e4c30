import { expect, test } from 'vitest';
import { bCubed } from './bcubed.ts';

const groups = [
  ['a', 'b', 'c'],
  ['d', 'e'],
];

test('counts only an issue itself as found if every issue is alone', () => {
  const { precision, recall } = bCubed([], groups);
  expect(precision).toBe(1);
  expect(recall).toBeCloseTo((3 * (1 / 3) + 2 * (1 / 2)) / 5);
});

test('lowers the precision of each member of a mixed cluster', () => {
  const { precision, recall } = bCubed([['a', 'b', 'c', 'd', 'e']], groups);
  expect(precision).toBeCloseTo((3 * (3 / 5) + 2 * (2 / 5)) / 5);
  expect(recall).toBe(1);
});

test('ignores members without a label, and issues that are not tested', () => {
  expect(
    bCubed(
      [
        ['a', 'b', 'c', 'x', 'y'],
        ['d', 'e'],
      ],
      groups,
    ),
  ).toEqual({ precision: 1, recall: 1, f1: 1 });
  const { recall } = bCubed([['a', 'b', 'c']], groups, (id) => id === 'a');
  expect(recall).toBe(1);
});

import { expect, test } from 'vitest';
import { cohesionOf } from './cohesion.ts';

const link = (a: string, b: string, probability: number) => ({ a, b, probability });
const LINKS = [
  link('a', 'b', 0.9),
  link('b', 'c', 0.8),
  link('c', 'd', 0.4),
  link('d', 'e', 0.7),
  link('a', 'd', 0.2),
  link('e', 'outside', 0.99),
];
const MEMBERS = ['a', 'b', 'c', 'd', 'e'];

test('the weakest link is in the maximum spanning tree, and the split separates its issues', () => {
  const { average, weakest, split } = cohesionOf(MEMBERS, LINKS);
  expect(average).toBeCloseTo((0.9 + 0.8 + 0.4 + 0.7 + 0.2) / 10);
  expect(weakest).toEqual(link('c', 'd', 0.4));
  expect(split?.parts).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
  expect(split?.average).toBeCloseTo((0.4 + 0.2) / 6);
});

test('a split never separates issues connected by must-links', () => {
  const constraint = { a: 'c', b: 'd', type: 'must', source: 'decision', reason: '' } as const;
  const { weakest, split } = cohesionOf(MEMBERS, LINKS, [constraint]);
  expect(weakest).not.toEqual(link('c', 'd', 0.4));
  expect(split?.parts.some((part) => part.includes('c') && part.includes('d'))).toBe(true);
  expect(cohesionOf(['c', 'd'], LINKS, [constraint])).toEqual({ average: 1, weakest: null, split: null });
});

test('a split separates issues that no pair connects', () => {
  const { split } = cohesionOf(['a', 'b', 'x'], LINKS);
  expect(split).toEqual({ parts: [['a', 'b'], ['x']], average: 0 });
});

import { expect, test } from 'vitest';
import { pathOf } from './path.ts';

test('draws an edge curved between columns, straight through columns, and as a bend within one column', () => {
  expect(
    pathOf([
      { x: 0, y: 0 },
      { x: 10, y: 5 },
      { x: 30, y: 5 },
      { x: 40, y: 0 },
    ]),
  ).toBe('M0 0C5 0 5 5 10 5L30 5C35 5 35 0 40 0');
  expect(
    pathOf([
      { x: 100, y: 0 },
      { x: 100, y: 80 },
    ]),
  ).toBe('M100 0C146 0 146 80 100 80');
  expect(
    pathOf([
      { x: 100, y: 50 },
      { x: 100, y: 50 },
    ]),
  ).toBe('M100 50C136 28 136 72 100 50');
});

import { expect, test } from 'vitest';
import { isDrag, stepsOfDrag, stepsOfKey, turned } from './turning.ts';

test('after the last slide comes the first, before the first the last', () => {
  expect(turned(2, 1, 3)).toBe(0);
  expect(turned(0, -1, 3)).toBe(2);
  expect(turned(1, 1, 3)).toBe(2);
  expect(turned(0, 1, 1)).toBe(0);
});

test('a pointer that moved 10 px or more does not click, whichever way it went', () => {
  expect([9, -9, 0].map(isDrag)).toEqual([false, false, false]);
  expect([10, -10, 300].map(isDrag)).toEqual([true, true, true]);
});

test('only a longer drag turns: to the left forward, to the right back', () => {
  expect([-47, 10, 47].map(stepsOfDrag)).toEqual([0, 0, 0]);
  expect(stepsOfDrag(-48)).toBe(1);
  expect(stepsOfDrag(48)).toBe(-1);
});

test('the arrow keys turn, other keys do not', () => {
  expect(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'Enter'].map(stepsOfKey)).toEqual([1, -1, 0, 0]);
});

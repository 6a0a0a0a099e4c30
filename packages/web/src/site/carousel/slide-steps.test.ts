import { expect, test } from 'vitest';
import { isDrag, slideAfter, stepsOfDrag, stepsOfKey } from './slide-steps.ts';

test('wraps around at both ends', () => {
  expect(slideAfter(2, 1, 3)).toBe(0);
  expect(slideAfter(0, -1, 3)).toBe(2);
  expect(slideAfter(1, 1, 3)).toBe(2);
  expect(slideAfter(0, 1, 1)).toBe(0);
});

test('treats a pointer movement of 10 px or more in either direction as a drag', () => {
  expect([9, -9, 0].map(isDrag)).toEqual([false, false, false]);
  expect([10, -10, 300].map(isDrag)).toEqual([true, true, true]);
});

test('changes the slide after a drag of 48 px: left is forward, right is back', () => {
  expect([-47, 10, 47].map(stepsOfDrag)).toEqual([0, 0, 0]);
  expect(stepsOfDrag(-48)).toBe(1);
  expect(stepsOfDrag(48)).toBe(-1);
});

test('changes the slide on the arrow keys only', () => {
  expect(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'Enter'].map(stepsOfKey)).toEqual([1, -1, 0, 0]);
});

import { expect, test } from 'vitest';
import { fitSize } from './shrink-picture.ts';

test.each([
  [
    [96, 96],
    [96, 96],
  ],
  [
    [40, 20],
    [40, 20],
  ],
  [
    [1920, 960],
    [96, 48],
  ],
  [
    [10, 5000],
    [1, 96],
  ],
])('scales a picture from %j to %j', ([width = 0, height = 0], [fitWidth, fitHeight]) => {
  expect(fitSize(width, height)).toEqual({ width: fitWidth, height: fitHeight });
});

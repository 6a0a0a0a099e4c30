import { expect, test } from 'vitest';
import {
  fitted,
  LEAST_SCALE,
  MOST_SCALE,
  opening,
  READABLE_SCALE,
  revealing,
  seenBox,
  sightOf,
  touches,
  zoomed,
} from './viewport.ts';

const WINDOW = { width: 800, height: 400 };

test('what is under the pointer stays there, and there is an end to zooming', () => {
  const view = { x: 10, y: 20, scale: 1 };
  const around = { x: 110, y: 220 };
  const larger = zoomed(view, 1.5, around);
  expect(larger).toEqual({ scale: 1.5, x: -40, y: -80 });
  expect((around.x - larger.x) / larger.scale).toBe(100);
  expect(zoomed(view, 100, around).scale).toBe(MOST_SCALE);
  expect(zoomed(view, 0.001, around).scale).toBe(LEAST_SCALE);
});

test('a small drawing is shown whole in the middle, at its own size', () => {
  expect(fitted({ width: 200, height: 100 }, WINDOW)).toEqual({ scale: 1, x: 300, y: 150 });
  expect(opening({ width: 200, height: 100 }, WINDOW, { x: 0, y: 0 })).toEqual({ scale: 1, x: 300, y: 150 });
});

test('a large one opens where it can be read', () => {
  const drawing = { width: 2_000, height: 9_000 };
  expect(fitted({ width: 2_000, height: 90_000 }, WINDOW).scale).toBe(LEAST_SCALE);
  const start = { x: 0, y: 4_000 };
  const view = opening(drawing, WINDOW, start);
  expect(view.scale).toBe(READABLE_SCALE);
  expect(touches(seenBox(view, WINDOW), { ...start, width: 1, height: 1 })).toBe(true);
  const atEnd = opening(drawing, WINDOW, { x: 0, y: 9_000 });
  expect(seenBox(atEnd, WINDOW).y + seenBox(atEnd, WINDOW).height).toBeLessThan(9_100);
});

test('a box is moved into sight as little as it takes', () => {
  const view = { x: 0, y: 0, scale: 1 };
  const box = { x: 100, y: 100, width: 200, height: 50 };
  expect(revealing(view, box, WINDOW)).toEqual(view);
  expect(revealing(view, { ...box, x: 900 }, WINDOW)).toEqual({ x: -324, y: 0, scale: 1 });
  expect(revealing(view, { ...box, y: -60 }, WINDOW)).toEqual({ x: 0, y: 84, scale: 1 });
});

test('what is in sight has what is near with it, and stays the same on a small move', () => {
  const view = { x: -10, y: -10, scale: 1 };
  const sight = sightOf(view, WINDOW);
  expect(sight).toEqual({ x: -300, y: -300, width: 1_500, height: 1_200 });
  expect(sightOf({ ...view, x: -40 }, WINDOW)).toEqual(sight);
  expect(sightOf({ ...view, x: -400 }, WINDOW).x).toBe(0);
});

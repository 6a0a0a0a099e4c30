import { expect, test } from 'vitest';
import {
  fitView,
  initialView,
  MAX_SCALE,
  MIN_SCALE,
  READABLE_SCALE,
  renderedBox,
  revealBox,
  touches,
  visibleBox,
  zoomView,
} from './viewport.ts';

const WINDOW = { width: 800, height: 400 };

test('keeps the point under the pointer in place when zooming, and stops at the limits', () => {
  const view = { x: 10, y: 20, scale: 1 };
  const around = { x: 110, y: 220 };
  const larger = zoomView(view, 1.5, around);
  expect(larger).toEqual({ scale: 1.5, x: -40, y: -80 });
  expect((around.x - larger.x) / larger.scale).toBe(100);
  expect(zoomView(view, 100, around).scale).toBe(MAX_SCALE);
  expect(zoomView(view, 0.001, around).scale).toBe(MIN_SCALE);
});

test('centers a small drawing at full size', () => {
  expect(fitView({ width: 200, height: 100 }, WINDOW)).toEqual({ scale: 1, x: 300, y: 150 });
  expect(initialView({ width: 200, height: 100 }, WINDOW, { x: 0, y: 0 })).toEqual({
    scale: 1,
    x: 300,
    y: 150,
  });
});

test('opens a large drawing at a readable scale, at its start', () => {
  const drawing = { width: 2_000, height: 9_000 };
  expect(fitView({ width: 2_000, height: 90_000 }, WINDOW).scale).toBe(MIN_SCALE);
  const start = { x: 0, y: 4_000 };
  const view = initialView(drawing, WINDOW, start);
  expect(view.scale).toBe(READABLE_SCALE);
  expect(touches(visibleBox(view, WINDOW), { ...start, width: 1, height: 1 })).toBe(true);
  const atEnd = initialView(drawing, WINDOW, { x: 0, y: 9_000 });
  expect(visibleBox(atEnd, WINDOW).y + visibleBox(atEnd, WINDOW).height).toBeLessThan(9_100);
});

test('moves the view only as far as needed to reveal a box', () => {
  const view = { x: 0, y: 0, scale: 1 };
  const box = { x: 100, y: 100, width: 200, height: 50 };
  expect(revealBox(view, box, WINDOW)).toEqual(view);
  expect(revealBox(view, { ...box, x: 900 }, WINDOW)).toEqual({ x: -324, y: 0, scale: 1 });
  expect(revealBox(view, { ...box, y: -60 }, WINDOW)).toEqual({ x: 0, y: 84, scale: 1 });
});

test('renders a box with a margin that does not change on a small move', () => {
  const view = { x: -10, y: -10, scale: 1 };
  const sight = renderedBox(view, WINDOW);
  expect(sight).toEqual({ x: -300, y: -300, width: 1_500, height: 1_200 });
  expect(renderedBox({ ...view, x: -40 }, WINDOW)).toEqual(sight);
  expect(renderedBox({ ...view, x: -400 }, WINDOW).x).toBe(0);
});

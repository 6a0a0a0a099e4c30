import { mapRegion, regionText } from '@winnow/contract/search';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Direction, pointAt, pointTowards } from './nearest.ts';
import {
  boundsOf,
  fitView,
  type Point,
  panToReveal,
  panView,
  toMap,
  toWindow,
  type View,
  zoomView,
} from './plane.ts';
import { boxInWindow, countInside, regionBetween, regionFromDrag } from './regions.ts';

const WINDOW = { width: 800, height: 400 };
const coordinate = fc.integer({ min: -50_000, max: 50_000 }).map((value) => value / 1e4);
const place: fc.Arbitrary<Point> = fc.record({ x: coordinate, y: coordinate });
const inWindow: fc.Arbitrary<Point> = fc.record({
  x: fc.double({ min: 0, max: WINDOW.width, noNaN: true }),
  y: fc.double({ min: 0, max: WINDOW.height, noNaN: true }),
});
const places = fc.array(place, { minLength: 1, maxLength: 40 });

function fit(points: readonly Point[]): View {
  const [x, y] = [points.map((point) => point.x), points.map((point) => point.y)];
  return fitView(boundsOf(x, y), WINDOW);
}

describe('a view', () => {
  test('shows every point in the fitted view, with the y axis pointing up', () => {
    fc.assert(
      fc.property(places, (points) => {
        const view = fit(points);
        for (const point of points) {
          const { x, y } = toWindow(view, point);
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(WINDOW.width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(WINDOW.height);
        }
      }),
    );
    expect(
      toWindow(
        fit([
          { x: 0, y: 0 },
          { x: 1, y: 1 },
        ]),
        { x: 0, y: 1 },
      ).y,
    ).toBeLessThan(WINDOW.height / 2);
  });

  test('keeps the position under the pointer when zooming, and limits the zoom', () => {
    fc.assert(
      fc.property(
        places,
        inWindow,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (points, around, factor) => {
          const whole = fit(points);
          const before = toMap(whole, around);
          const after = toMap(zoomView(whole, factor, around, whole), around);
          expect(after.x).toBeCloseTo(before.x, 6);
          expect(after.y).toBeCloseTo(before.y, 6);
        },
      ),
    );
    const whole = fit([
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ]);
    expect(zoomView(whole, 1e9, { x: 0, y: 0 }, whole).scale).toBe(whole.scale * 60);
    expect(zoomView(whole, 1e-9, { x: 0, y: 0 }, whole).scale).toBe(whole.scale / 2);
  });

  test('pans to a hidden point, but not to a visible one', () => {
    fc.assert(
      fc.property(places, place, inWindow, (points, point, by) => {
        const view = panView(fit(points), by);
        const revealed = panToReveal(view, point, WINDOW);
        const { x, y } = toWindow(revealed, point);
        expect([x >= 23.9 && x <= WINDOW.width - 23.9, y >= 23.9 && y <= WINDOW.height - 23.9]).toEqual([
          true,
          true,
        ]);
        expect(panToReveal(revealed, point, WINDOW).x).toBeCloseTo(revealed.x, 6);
      }),
    );
  });
});

describe('a region', () => {
  test('contains both corners of a region and the points between them, also after parsing it from the URL', () => {
    fc.assert(
      fc.property(place, place, fc.constantFrom(0.25, 0.5, 0.75), (one, other, share) => {
        const region = regionBetween(one, other);
        expect(mapRegion.parse(regionText(region))).toEqual(region);
        const between = { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
        expect(countInside(region, [one, other, between])).toBe(3);
      }),
    );
  });

  test('contains the points in the dragged rectangle, and is drawn at the position of the drag', () => {
    fc.assert(
      fc.property(places, inWindow, inWindow, (points, from, to) => {
        const view = fit(points);
        const region = regionFromDrag(view, from, to);
        const box = boxInWindow(view, region);
        // The edges of a region are rounded outward by less than 0.0001 map units.
        const slack = view.scale / 1e4 + 1e-6;
        expect(Math.abs(box.x - Math.min(from.x, to.x))).toBeLessThanOrEqual(slack);
        expect(Math.abs(box.height - Math.abs(from.y - to.y))).toBeLessThanOrEqual(2 * slack);
        const seen = points.filter((point) => {
          const { x, y } = toWindow(view, point);
          return (x - from.x) * (x - to.x) < 0 && (y - from.y) * (y - to.y) < 0;
        });
        expect(countInside(region, seen)).toBe(seen.length);
      }),
    );
  });

  test('limits a region to the coordinates that the URL can contain', () => {
    const region = regionBetween({ x: -1e7, y: 1e7 }, { x: 1e7, y: -1e7 });
    expect(mapRegion.parse(regionText(region))).toEqual({ left: -999, lower: -999, right: 999, upper: 999 });
    expect(regionText(regionBetween({ x: -0.00001, y: 0 }, { x: 0, y: 0.00001 }))).toBe('-0.0001,0,0,0.0001');
  });
});

describe('pointAt', () => {
  test('returns the nearest point within the given distance', () => {
    fc.assert(
      fc.property(places, inWindow, (points, at) => {
        const view = fit(points);
        const distance = (index: number) => {
          const { x, y } = toWindow(view, points[index] ?? { x: 0, y: 0 });
          return Math.hypot(x - at.x, y - at.y);
        };
        const least = Math.min(...points.map((_, index) => distance(index)));
        const found = pointAt(points, view, at, 12);
        if (found === -1) expect(least).toBeGreaterThan(12 - 1e-9);
        else expect(distance(found)).toBeCloseTo(least, 6);
      }),
    );
  });
});

describe('pointTowards', () => {
  const AHEAD: Record<Direction, (from: Point, to: Point) => number> = {
    left: (from, to) => from.x - to.x,
    right: (from, to) => to.x - from.x,
    up: (from, to) => to.y - from.y,
    down: (from, to) => from.y - to.y,
  };
  const direction = fc.constantFrom<Direction>('left', 'right', 'up', 'down');

  test('returns the next point in the direction, or -1 if there is none', () => {
    fc.assert(
      fc.property(places, direction, fc.nat(), (points, towards, seed) => {
        const from = seed % points.length;
        const start = points[from] ?? { x: 0, y: 0 };
        const found = points[pointTowards(points, from, towards)];
        const ahead = AHEAD[towards];
        if (found === undefined) {
          expect(points.every((point) => ahead(start, point) <= 0)).toBe(true);
        } else expect(ahead(start, found)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('prefers points straight ahead', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 0.1, y: 0.2 },
      { x: 0.3, y: 0 },
      { x: -1, y: 0 },
    ];
    expect(pointTowards(points, 0, 'right')).toBe(2);
    expect(pointTowards(points, 0, 'up')).toBe(1);
    expect(pointTowards(points, 0, 'left')).toBe(3);
    expect(pointTowards(points, 0, 'down')).toBe(-1);
    expect(pointTowards([], 0, 'down')).toBe(-1);
  });

  test('reaches all points at the same position one after another', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ];
    const way = [0];
    for (let step = 0; step < 3; step += 1) way.push(pointTowards(points, way.at(-1) ?? -1, 'right'));
    expect(way).toEqual([0, 2, 3, 1]);
    expect(pointTowards(points, 3, 'left')).toBe(2);
  });
});

import { mapRegion, regionText } from '@winnow/contract/search';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Direction, pointAt, pointTowards } from './nearest.ts';
import {
  boundsOf,
  fitted,
  moved,
  type Point,
  revealing,
  toMap,
  toWindow,
  type View,
  zoomed,
} from './plane.ts';
import { boxInWindow, brushed, countInside, regionBetween } from './regions.ts';

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
  return fitted(boundsOf(x, y), WINDOW);
}

describe('a view', () => {
  test('that is fitted has every point in the window, the highest at the top', () => {
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

  test('keeps what is under the pointer when it is zoomed, and comes to an end', () => {
    fc.assert(
      fc.property(
        places,
        inWindow,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (points, around, factor) => {
          const whole = fit(points);
          const before = toMap(whole, around);
          const after = toMap(zoomed(whole, factor, around, whole), around);
          expect(after.x).toBeCloseTo(before.x, 6);
          expect(after.y).toBeCloseTo(before.y, 6);
        },
      ),
    );
    const whole = fit([
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ]);
    expect(zoomed(whole, 1e9, { x: 0, y: 0 }, whole).scale).toBe(whole.scale * 60);
    expect(zoomed(whole, 1e-9, { x: 0, y: 0 }, whole).scale).toBe(whole.scale / 2);
  });

  test('is moved to what is out of sight, and left alone otherwise', () => {
    fc.assert(
      fc.property(places, place, inWindow, (points, point, by) => {
        const view = moved(fit(points), by);
        const revealed = revealing(view, point, WINDOW);
        const { x, y } = toWindow(revealed, point);
        expect([x >= 23.9 && x <= WINDOW.width - 23.9, y >= 23.9 && y <= WINDOW.height - 23.9]).toEqual([
          true,
          true,
        ]);
        expect(revealing(revealed, point, WINDOW).x).toBeCloseTo(revealed.x, 6);
      }),
    );
  });
});

describe('a region', () => {
  test('goes through the address and holds both its corners and what is between', () => {
    fc.assert(
      fc.property(place, place, fc.constantFrom(0.25, 0.5, 0.75), (one, other, share) => {
        const region = regionBetween(one, other);
        expect(mapRegion.parse(regionText(region))).toEqual(region);
        const between = { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
        expect(countInside(region, [one, other, between])).toBe(3);
      }),
    );
  });

  test('that is brushed holds the points that are seen in the rectangle, and is drawn where it was brushed', () => {
    fc.assert(
      fc.property(places, inWindow, inWindow, (points, from, to) => {
        const view = fit(points);
        const region = brushed(view, from, to);
        const box = boxInWindow(view, region);
        // An edge is rounded outward by less than one in ten thousand of a unit.
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

  test('far away is cut to what the address can say', () => {
    const region = regionBetween({ x: -1e7, y: 1e7 }, { x: 1e7, y: -1e7 });
    expect(mapRegion.parse(regionText(region))).toEqual({ left: -999, lower: -999, right: 999, upper: 999 });
    expect(regionText(regionBetween({ x: -0.00001, y: 0 }, { x: 0, y: 0.00001 }))).toBe('-0.0001,0,0,0.0001');
  });
});

describe('the point at a place', () => {
  test('is the nearest one within reach', () => {
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

describe('the point in a direction', () => {
  const AHEAD: Record<Direction, (from: Point, to: Point) => number> = {
    left: (from, to) => from.x - to.x,
    right: (from, to) => to.x - from.x,
    up: (from, to) => to.y - from.y,
    down: (from, to) => from.y - to.y,
  };
  const direction = fc.constantFrom<Direction>('left', 'right', 'up', 'down');

  test('lies ahead, and there is none only where nothing does', () => {
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

  test('is rather ahead than aside', () => {
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

  test('points at one place are all reached, one by one', () => {
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

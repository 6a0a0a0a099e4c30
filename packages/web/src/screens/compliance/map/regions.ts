import { isInRegion, type MapRegion } from '@winnow/contract/search';
import { type Point, toMap, toWindow, type View } from './plane.ts';

/** A region's edges have four digits after the point, and lie within these. */
const DIGITS = 1e4;
const FARTHEST = 999;

function edge(value: number, round: (value: number) => number): number {
  return Math.min(Math.max(round(value * DIGITS) / DIGITS, -FARTHEST), FARTHEST);
}

/**
 * The smallest region that holds what lies between two places of the map, as the address can say
 * it.
 */
export function regionBetween(one: Point, other: Point): MapRegion {
  return {
    left: edge(Math.min(one.x, other.x), Math.floor),
    lower: edge(Math.min(one.y, other.y), Math.floor),
    right: edge(Math.max(one.x, other.x), Math.ceil),
    upper: edge(Math.max(one.y, other.y), Math.ceil),
  };
}

/** The region that was dragged over in the window. */
export function brushed(view: View, from: Point, to: Point): MapRegion {
  return regionBetween(toMap(view, from), toMap(view, to));
}

/** A region as a rectangle of the window. */
export function boxInWindow(view: View, { left, lower, right, upper }: MapRegion) {
  const [corner, opposite] = [toWindow(view, { x: left, y: upper }), toWindow(view, { x: right, y: lower })];
  return { ...corner, width: opposite.x - corner.x, height: opposite.y - corner.y };
}

/** How many of these points are in a region. */
export function countInside(region: MapRegion, points: readonly Point[]): number {
  let inside = 0;
  for (const point of points) if (isInRegion(region, point)) inside += 1;
  return inside;
}

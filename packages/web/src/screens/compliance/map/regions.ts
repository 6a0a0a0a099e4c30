import { isInRegion, type MapRegion } from '@winnow/contract/search';
import { type Point, toMap, toWindow, type View } from './plane.ts';

/**
 * Factor for rounding the edges of a region to four decimals, which keeps the URL short. The edges
 * are also limited to ±999.
 */
const ROUNDING_FACTOR = 1e4;
const MAX_COORDINATE = 999;

function edge(value: number, round: (value: number) => number): number {
  return Math.min(
    Math.max(round(value * ROUNDING_FACTOR) / ROUNDING_FACTOR, -MAX_COORDINATE),
    MAX_COORDINATE,
  );
}

/** Returns the region between two map points, rounded outward so that it fits in the URL. */
export function regionBetween(one: Point, other: Point): MapRegion {
  return {
    left: edge(Math.min(one.x, other.x), Math.floor),
    lower: edge(Math.min(one.y, other.y), Math.floor),
    right: edge(Math.max(one.x, other.x), Math.ceil),
    upper: edge(Math.max(one.y, other.y), Math.ceil),
  };
}

/** Returns the region between the window positions at which a drag started and ended. */
export function regionFromDrag(view: View, from: Point, to: Point): MapRegion {
  return regionBetween(toMap(view, from), toMap(view, to));
}

/** Returns the position and size of a region in window pixels. */
export function boxInWindow(view: View, { left, lower, right, upper }: MapRegion) {
  const [corner, opposite] = [toWindow(view, { x: left, y: upper }), toWindow(view, { x: right, y: lower })];
  return { ...corner, width: opposite.x - corner.x, height: opposite.y - corner.y };
}

/** Counts the points in a region. */
export function countInside(region: MapRegion, points: readonly Point[]): number {
  let inside = 0;
  for (const point of points) if (isInRegion(region, point)) inside += 1;
  return inside;
}

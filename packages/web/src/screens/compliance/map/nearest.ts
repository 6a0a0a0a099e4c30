import { type Point, toWindow, type View } from './plane.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Returns the index of the point nearest to a window position, within a maximum distance in pixels.
 * -1 if no point is that near. If several points are equally near, returns the last one.
 */
export function pointAt(points: readonly Point[], view: View, at: Point, within: number): number {
  let [found, nearest] = [-1, within * within];
  for (const [index, point] of points.entries()) {
    const { x, y } = toWindow(view, point);
    const distance = (x - at.x) ** 2 + (y - at.y) ** 2;
    if (distance <= nearest) [found, nearest] = [index, distance];
  }
  return found;
}

/** Unit vectors in map coordinates, where y points up. */
const DIRECTIONS: Record<Direction, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: 1 },
  down: { x: 0, y: -1 },
};

/**
 * Returns the index of the next point in a direction, or -1 if there is none. Prefers near points
 * straight ahead. Among points at the same position, right and down move to a higher index, left
 * and up to a lower one.
 */
export function pointTowards(points: readonly Point[], from: number, direction: Direction): number {
  const start = points[from];
  if (start === undefined) return -1;
  const { x, y } = DIRECTIONS[direction];
  const isForward = direction === 'right' || direction === 'down';
  let [found, nearest] = [-1, Number.POSITIVE_INFINITY];
  for (const [index, point] of points.entries()) {
    if (index === from) continue;
    const ahead = (point.x - start.x) * x + (point.y - start.y) * y;
    const aside = Math.abs((point.x - start.x) * y) + Math.abs((point.y - start.y) * x);
    if (ahead === 0 && aside === 0) {
      if (isForward !== index > from) continue;
      // Prefer points at the same position, in the order of their indexes.
      const step = -1 / Math.abs(index - from);
      if (step < nearest) [found, nearest] = [index, step];
    } else if (ahead > 0 && ahead + 2 * aside < nearest) [found, nearest] = [index, ahead + 2 * aside];
  }
  return found;
}

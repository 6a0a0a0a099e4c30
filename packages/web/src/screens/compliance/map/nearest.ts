import { type Point, toWindow, type View } from './plane.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * Returns the index of the point nearest to a window position, at most `within` pixels away; -1 if
 * there is none. On a tie, the last point wins.
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
 * Returns the index of the next point in a direction, preferring near points straight ahead; -1 if
 * there is none. Right and down step forward through points at the same position, left and up step
 * back.
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
      // Points at the same position come first, in index order.
      const step = -1 / Math.abs(index - from);
      if (step < nearest) [found, nearest] = [index, step];
    } else if (ahead > 0 && ahead + 2 * aside < nearest) [found, nearest] = [index, ahead + 2 * aside];
  }
  return found;
}

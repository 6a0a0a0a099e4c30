import type { Point } from './layout/layout.ts';

/** Minimum and maximum distance in pixels by which an edge within one column bends to the right. */
const MIN_BEND_PX = 36;
const MAX_BEND_PX = 80;

/**
 * Returns the SVG path of an edge. It is straight through columns and curved between columns. An
 * edge within one column bends to the right.
 */
export function pathOf(route: readonly Point[]): string {
  const [start, ...rest] = route;
  if (start === undefined) return '';
  const parts = [`M${start.x} ${start.y}`];
  for (const [at, to] of rest.entries()) {
    const from = route[at] ?? start;
    const through = at % 2 === 1;
    if (through) parts.push(`L${to.x} ${to.y}`);
    else if (to.x > from.x) {
      const bend = (to.x - from.x) / 2;
      parts.push(`C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`);
    } else {
      const out = from.x + Math.min(MAX_BEND_PX, MIN_BEND_PX + Math.abs(to.y - from.y) / 8);
      // If an issue blocks itself, separate the ends of the edge, so that its loop is visible.
      const apart = to.y === from.y ? 22 : 0;
      parts.push(`C${out} ${from.y - apart} ${out} ${to.y + apart} ${to.x} ${to.y}`);
    }
  }
  return parts.join('');
}

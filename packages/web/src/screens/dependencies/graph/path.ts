import type { Point } from './layout/layout.ts';

/** Distance that an edge within a column bends out of it. */
const LEAST_OUT = 36;
const MOST_OUT = 80;

/**
 * The way of an edge as an SVG path: straight through columns, curved between them, and out of the
 * column where it stays in one.
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
      const out = from.x + Math.min(MOST_OUT, LEAST_OUT + Math.abs(to.y - from.y) / 8);
      // What blocks itself has to leave its place, too.
      const apart = to.y === from.y ? 22 : 0;
      parts.push(`C${out} ${from.y - apart} ${out} ${to.y + apart} ${to.x} ${to.y}`);
    }
  }
  return parts.join('');
}

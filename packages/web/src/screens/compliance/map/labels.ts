import { type Point, type Size, toMap, toWindow, type View } from './plane.ts';
import type { Looks } from './point-colors.ts';

/** The name of a theme, on the point of it that is most in its middle. */
export type Label = { text: string; at: Point };

const HEIGHT = 16;
/** Of letters over and under the line they stand on. */
const ASCENT = 9;
const DESCENT = 3;
/** Of a letter, more or less. */
const WIDTH = 6.2;

/**
 * Where the themes that have a look of their own are named: each at the member that is nearest to
 * the middle of its members.
 */
export function themeLabels(points: readonly Point[], { looks, lookOf }: Looks): Label[] {
  return looks.flatMap(({ label, isBackground }, look) => {
    const members = isBackground ? [] : points.filter((_, index) => lookOf[index] === look);
    if (members.length === 0) return [];
    const middle = {
      x: median(members.map(({ x }) => x)),
      y: median(members.map(({ y }) => y)),
    };
    const distance = ({ x, y }: Point) => (x - middle.x) ** 2 + (y - middle.y) ** 2;
    const at = members.reduce((best, member) => (distance(member) < distance(best) ? member : best));
    return [{ text: label, at }];
  });
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * The labels that the window has room for, earlier ones first, with where their middles are in it:
 * above the point, or where fewer of the points are under them below or beside it. `radius` is that
 * of a point.
 */
export function roomFor(
  labels: readonly Label[],
  points: readonly Point[],
  { view, size: { width, height }, radius }: { view: View; size: Size; radius: number },
): Label[] {
  const placed: (Label & { half: number })[] = [];
  for (const { text, at } of labels) {
    const half = (text.length * WIDTH) / 2;
    const wanted = toWindow(view, at);
    if (wanted.x < 0 || wanted.x > width || wanted.y < 0 || wanted.y > height) continue;
    const free = placesAbout(wanted, half, radius)
      .map(({ x, y }) => ({
        x: Math.min(Math.max(x, half + 4), Math.max(half + 4, width - half - 4)),
        y: Math.min(Math.max(y, HEIGHT), height - 4),
      }))
      .filter(({ x, y }) =>
        placed.every(
          (other) => Math.abs(other.at.x - x) > other.half + half || Math.abs(other.at.y - y) > HEIGHT,
        ),
      );
    const under = free.map((place) => pointsUnder(place, half, radius, points, view));
    const best = free[under.indexOf(Math.min(...under))];
    if (best !== undefined) placed.push({ text, at: best, half });
  }
  return placed.map(({ text, at }) => ({ text, at }));
}

/** Where a label may stand about a point, the best place first. */
function placesAbout({ x, y }: Point, half: number, radius: number): Point[] {
  const aside = half + 2 * radius;
  return [
    { x, y: y - HEIGHT },
    { x, y: y + HEIGHT + radius },
    { x: x + aside, y: y + DESCENT },
    { x: x - aside, y: y + DESCENT },
  ];
}

/** How many points a label would cover, if only in part. */
function pointsUnder(
  { x, y }: Point,
  half: number,
  radius: number,
  points: readonly Point[],
  view: View,
): number {
  const upperLeft = toMap(view, { x: x - half - radius, y: y - ASCENT - radius });
  const lowerRight = toMap(view, { x: x + half + radius, y: y + DESCENT + radius });
  return points.reduce(
    (sum, point) =>
      point.x > upperLeft.x && point.x < lowerRight.x && point.y < upperLeft.y && point.y > lowerRight.y
        ? sum + 1
        : sum,
    0,
  );
}

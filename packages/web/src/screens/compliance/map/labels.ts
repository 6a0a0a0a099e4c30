import { type Point, type Size, toMap, toWindow, type View } from './plane.ts';
import type { PointStyles } from './point-styles.ts';

/** Name of a theme and the position at which it is displayed. */
export type Label = { text: string; at: Point };

const LABEL_HEIGHT_PX = 16;
/** Height of letters above and below the baseline, in pixels. */
const ASCENT_PX = 9;
const DESCENT_PX = 3;
/** Average width of a letter, in pixels. */
const LETTER_WIDTH_PX = 6.2;

/**
 * Returns a label for each theme that has its own color. It is placed at the theme's point that is
 * closest to the median position.
 */
export function themeLabels(points: readonly Point[], { styles, styleOf }: PointStyles): Label[] {
  return styles.flatMap(({ label, isBackground }, style) => {
    const members = isBackground ? [] : points.filter((_, index) => styleOf[index] === style);
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
 * Returns the labels that fit in the window without overlapping, with their window positions.
 * Earlier labels take precedence. Each label is above, below or beside its point, at the position
 * that covers the fewest points. `radius` is the radius of a point.
 */
export function placeLabels(
  labels: readonly Label[],
  points: readonly Point[],
  { view, size: { width, height }, radius }: { view: View; size: Size; radius: number },
): Label[] {
  const placed: (Label & { half: number })[] = [];
  for (const { text, at } of labels) {
    const half = (text.length * LETTER_WIDTH_PX) / 2;
    const anchor = toWindow(view, at);
    if (anchor.x < 0 || anchor.x > width || anchor.y < 0 || anchor.y > height) continue;
    const free = labelPositions(anchor, half, radius)
      .map(({ x, y }) => ({
        x: Math.min(Math.max(x, half + 4), Math.max(half + 4, width - half - 4)),
        y: Math.min(Math.max(y, LABEL_HEIGHT_PX), height - 4),
      }))
      .filter(({ x, y }) =>
        placed.every(
          (other) =>
            Math.abs(other.at.x - x) > other.half + half || Math.abs(other.at.y - y) > LABEL_HEIGHT_PX,
        ),
      );
    const coveredCounts = free.map((place) => countCoveredPoints(place, half, radius, points, view));
    const best = free[coveredCounts.indexOf(Math.min(...coveredCounts))];
    if (best !== undefined) placed.push({ text, at: best, half });
  }
  return placed.map(({ text, at }) => ({ text, at }));
}

/** Returns the possible positions of a label around a point, preferred positions first. */
function labelPositions({ x, y }: Point, half: number, radius: number): Point[] {
  const aside = half + 2 * radius;
  return [
    { x, y: y - LABEL_HEIGHT_PX },
    { x, y: y + LABEL_HEIGHT_PX + radius },
    { x: x + aside, y: y + DESCENT_PX },
    { x: x - aside, y: y + DESCENT_PX },
  ];
}

/** Returns the number of points that a label would cover at least partly. */
function countCoveredPoints(
  { x, y }: Point,
  half: number,
  radius: number,
  points: readonly Point[],
  view: View,
): number {
  const upperLeft = toMap(view, { x: x - half - radius, y: y - ASCENT_PX - radius });
  const lowerRight = toMap(view, { x: x + half + radius, y: y + DESCENT_PX + radius });
  return points.reduce(
    (sum, point) =>
      point.x > upperLeft.x && point.x < lowerRight.x && point.y < upperLeft.y && point.y > lowerRight.y
        ? sum + 1
        : sum,
    0,
  );
}

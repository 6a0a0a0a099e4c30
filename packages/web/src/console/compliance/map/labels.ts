import type { Looks } from './looks.ts';
import { type Point, type Size, toWindow, type View } from './plane.ts';

/** The name of a theme, on the point of it that is most in its middle. */
export type Label = { text: string; at: Point };

const HEIGHT = 16;
/** Of a letter, more or less. */
const WIDTH = 6.2;

/** Where the themes that have a look of their own are named: each at the member that is nearest to the middle of its members. */
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

/** The labels that the window has room for, earlier ones first, with where their middles are in it. */
export function roomFor(labels: readonly Label[], view: View, { width, height }: Size): Label[] {
  const placed: (Label & { half: number })[] = [];
  for (const { text, at } of labels) {
    const half = (text.length * WIDTH) / 2;
    const wanted = toWindow(view, at);
    if (wanted.x < 0 || wanted.x > width || wanted.y < 0 || wanted.y > height) continue;
    const x = Math.min(Math.max(wanted.x, half + 4), Math.max(half + 4, width - half - 4));
    const y = Math.min(Math.max(wanted.y - HEIGHT, HEIGHT), height - 4);
    const isFree = placed.every(
      (other) => Math.abs(other.at.x - x) > other.half + half || Math.abs(other.at.y - y) > HEIGHT,
    );
    if (isFree) placed.push({ text, at: { x, y }, half });
  }
  return placed.map(({ text, at }) => ({ text, at }));
}

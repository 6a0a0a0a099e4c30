import { type Point, type Size, toWindow, type View } from './plane.ts';
import type { Looks } from './point-colors.ts';
import { putDown, stampOf, wordOf } from './stamps.ts';

/** What is drawn of a map. */
export type Drawing = {
  points: readonly Point[];
  looks: Looks;
  /** Indices of points, those drawn first at the bottom. */
  order: Uint32Array;
  /** Whether each is meant, all others being faded; null when all are alike. */
  isMeant: Uint8Array | null;
};

/** A point that is not meant shows through like this. */
const FADED = 0.22;

/**
 * The radius of a point, in pixels: smaller where there are many, larger when one has come near.
 */
export function radiusOf(count: number, zoom: number): number {
  const base = count <= 400 ? 5 : count <= 2_500 ? 4 : count <= 15_000 ? 3 : 1.5;
  return base * Math.min(2, Math.max(0.75, Math.sqrt(zoom)));
}

/**
 * Background first, then what has a look of its own, the largest group first; what is meant on top
 * of all.
 */
export function drawingOrder({ looks, lookOf }: Looks, isMeant: Uint8Array | null): Uint32Array {
  const height = (index: number) => {
    const look = lookOf[index] ?? 0;
    return (isMeant?.[index] === 1 ? 1_000 : 0) + (looks[look]?.isBackground === true ? 0 : 1 + look);
  };
  const heights = Uint16Array.from(lookOf, (_, index) => height(index));
  return Uint32Array.from(lookOf.keys()).sort(
    (one, other) => (heights[one] ?? 0) - (heights[other] ?? 0) || one - other,
  );
}

/**
 * Draws the points that the window shows, pixel by pixel: a hundred thousand calls of the canvas
 * take a third of a second. `colorOf` gives a token's color; `ratio` is that of device pixels.
 */
export function drawPoints(
  context: CanvasRenderingContext2D,
  { points, looks, order, isMeant }: Drawing,
  at: { view: View; size: Size; ratio: number; radius: number; colorOf: (token: string) => string },
): void {
  const { view, ratio, radius, colorOf } = at;
  const [width, height] = [context.canvas.width, context.canvas.height];
  if (width === 0 || height === 0) return;
  const image = context.createImageData(width, height);
  const ground = colorOf('bg');
  const picture = { width, height, bytes: image.data, words: new Uint32Array(image.data.buffer) };
  picture.words.fill(wordOf(ground));
  const stamps = looks.looks.map((look) => stampOf(look, radius * ratio, colorOf(look.color), ground));
  for (const index of order) {
    const point = points[index];
    const stamp = stamps[looks.lookOf[index] ?? 0];
    if (point === undefined || stamp === undefined) continue;
    const { x, y } = toWindow(view, point);
    putDown(picture, stamp, {
      x: Math.round(x * ratio),
      y: Math.round(y * ratio),
      strength: isMeant === null || isMeant[index] === 1 ? 1 : FADED,
    });
  }
  context.putImageData(image, 0, 0);
}

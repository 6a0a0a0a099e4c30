import { type Point, type Size, toWindow, type View } from './plane.ts';
import type { PointStyles } from './point-styles.ts';
import { drawStamp, pixelOf, stampOf } from './stamps.ts';

/** The points of a map, and how to draw each. */
export type Drawing = {
  points: readonly Point[];
  styles: PointStyles;
  /** Indexes of the points in drawing order. Later points cover earlier ones. */
  order: Uint32Array;
  /** For each point, 1 to highlight it or 0 to fade it. Null if no search is active. */
  isHighlighted: Uint8Array | null;
};

/** Opacity of points that do not match the search. */
const FADED_OPACITY = 0.22;

/**
 * Returns the radius of a point in pixels. Points are smaller on maps with many points, and larger
 * when the user zooms in.
 */
export function radiusOf(count: number, zoom: number): number {
  const base = count <= 400 ? 5 : count <= 2_500 ? 4 : count <= 15_000 ? 3 : 1.5;
  return base * Math.min(2, Math.max(0.75, Math.sqrt(zoom)));
}

/**
 * Returns the drawing order: background points first, then themes from largest to smallest.
 * Highlighted points are drawn last, on top.
 */
export function drawingOrder(
  { styles, styleOf }: PointStyles,
  isHighlighted: Uint8Array | null,
): Uint32Array {
  const height = (index: number) => {
    const style = styleOf[index] ?? 0;
    return (
      (isHighlighted?.[index] === 1 ? 1_000 : 0) + (styles[style]?.isBackground === true ? 0 : 1 + style)
    );
  };
  const heights = Uint16Array.from(styleOf, (_, index) => height(index));
  return Uint32Array.from(styleOf.keys()).sort(
    (one, other) => (heights[one] ?? 0) - (heights[other] ?? 0) || one - other,
  );
}

/**
 * Draws the visible points by setting pixels, because 100,000 canvas calls take a third of a
 * second. `colorOf` returns the CSS color of a token. `ratio` is the device pixel ratio.
 */
export function drawPoints(
  context: CanvasRenderingContext2D,
  { points, styles, order, isHighlighted }: Drawing,
  at: { view: View; size: Size; ratio: number; radius: number; colorOf: (token: string) => string },
): void {
  const { view, ratio, radius, colorOf } = at;
  const [width, height] = [context.canvas.width, context.canvas.height];
  if (width === 0 || height === 0) return;
  const image = context.createImageData(width, height);
  const background = colorOf('bg');
  const picture = { width, height, bytes: image.data, words: new Uint32Array(image.data.buffer) };
  picture.words.fill(pixelOf(background));
  const stamps = styles.styles.map((style) =>
    stampOf(style, radius * ratio, colorOf(style.color), background),
  );
  for (const index of order) {
    const point = points[index];
    const stamp = stamps[styles.styleOf[index] ?? 0];
    if (point === undefined || stamp === undefined) continue;
    const { x, y } = toWindow(view, point);
    drawStamp(picture, stamp, {
      x: Math.round(x * ratio),
      y: Math.round(y * ratio),
      strength: isHighlighted === null || isHighlighted[index] === 1 ? 1 : FADED_OPACITY,
    });
  }
  context.putImageData(image, 0, 0);
}

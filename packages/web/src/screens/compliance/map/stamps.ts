import type { PointStyle } from './point-styles.ts';
import { outlineOf } from './shapes.ts';

/**
 * Pixels of one point, rendered once and then drawn at many positions. Contains only visible
 * pixels, by their row and column relative to the center.
 */
export type Stamp = {
  /** Maximum number of rows or columns between a pixel and the center. */
  reach: number;
  columns: Int16Array;
  rows: Int16Array;
  /** RGBA values of each pixel. */
  bytes: Uint8ClampedArray;
};

/**
 * Drawing buffer. `bytes` and `words` are two views of the same memory: by color channel and by
 * pixel.
 */
export type Picture = { width: number; height: number; bytes: Uint8ClampedArray; words: Uint32Array };

/**
 * Minimum radius at which shapes are distinguishable, in pixels. Smaller points are drawn as
 * squares.
 */
const MIN_SHAPE_RADIUS_PX = 1.6;

function smallCanvas(side: number): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  return canvas.getContext('2d', { willReadFrequently: true });
}

/** Returns a color as a 32-bit pixel in the byte order of this machine. */
export function pixelOf(color: string): number {
  const context = smallCanvas(1);
  if (context === null) return 0;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0] ?? 0;
}

/**
 * Renders a point as a stamp. `radius` is in pixels of the picture. An outline in the background
 * color separates overlapping points.
 */
export function stampOf(
  { shape, isBackground }: PointStyle,
  radius: number,
  color: string,
  background: string,
): Stamp {
  const shown = isBackground ? radius * 0.75 : radius;
  const reach = Math.ceil(shown * 1.4 + 1);
  const side = 2 * reach + 1;
  const context = smallCanvas(side);
  if (context === null) return stampFrom(new Uint8ClampedArray(side * side * 4), reach);
  context.translate(reach + 0.5, reach + 0.5);
  if (shown < MIN_SHAPE_RADIUS_PX) {
    context.fillStyle = color;
    context.fillRect(-shown, -shown, 2 * shown, 2 * shown);
  } else {
    const outline = new Path2D(outlineOf(shape, shape === 'ring' ? shown * 0.8 : shown));
    context.fillStyle = color;
    context.strokeStyle = shape === 'ring' ? color : background;
    context.lineWidth = shape === 'ring' ? Math.max(1, shown * 0.4) : Math.max(0.5, shown * 0.14);
    if (shape !== 'ring') context.fill(outline);
    context.stroke(outline);
  }
  return stampFrom(context.getImageData(0, 0, side, side).data, reach);
}

/** Creates a stamp from a square image. The image extends `reach` pixels from its center. */
export function stampFrom(pixels: Uint8ClampedArray, reach: number): Stamp {
  const side = 2 * reach + 1;
  const visible = Array.from({ length: side * side }, (_, at) => at).filter(
    (at) => (pixels[at * 4 + 3] ?? 0) > 0,
  );
  return {
    reach,
    columns: Int16Array.from(visible, (at) => (at % side) - reach),
    rows: Int16Array.from(visible, (at) => Math.floor(at / side) - reach),
    bytes: Uint8ClampedArray.from(visible.flatMap((at) => [...pixels.subarray(at * 4, at * 4 + 4)])),
  };
}

/**
 * Draws a stamp onto an opaque picture, centered at a pixel and clipped at the edges. `strength` is
 * the opacity from 0 to 1.
 */
export function drawStamp(
  { width, height, bytes, words }: Picture,
  { reach, columns, rows, bytes: colors }: Stamp,
  { x, y, strength }: { x: number; y: number; strength: number },
): void {
  if (x < -reach || y < -reach || x >= width + reach || y >= height + reach) return;
  const isWithin = x >= reach && y >= reach && x < width - reach && y < height - reach;
  const opaque = new Uint32Array(colors.buffer);
  for (let at = 0; at < columns.length; at += 1) {
    const column = x + (columns[at] ?? 0);
    const row = y + (rows[at] ?? 0);
    if (!isWithin && (column < 0 || row < 0 || column >= width || row >= height)) continue;
    const pixel = row * width + column;
    const share = ((colors[at * 4 + 3] ?? 0) / 255) * strength;
    if (share === 1) {
      words[pixel] = opaque[at] ?? 0;
      continue;
    }
    for (let channel = 0; channel < 3; channel += 1) {
      const under = bytes[pixel * 4 + channel] ?? 0;
      bytes[pixel * 4 + channel] = under + ((colors[at * 4 + channel] ?? 0) - under) * share;
    }
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawStamp, type Picture, stampFrom } from './stamps.ts';

const [WIDTH, HEIGHT] = [9, 5];

function picture(): Picture {
  const bytes = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  return { width: WIDTH, height: HEIGHT, bytes, words: new Uint32Array(bytes.buffer) };
}

/**
 * Returns a stamp of 3 × 3 pixels: red in the center, half-transparent black to the right of it,
 * and transparent elsewhere.
 */
function stamp() {
  const pixels = new Uint8ClampedArray(3 * 3 * 4);
  pixels.set([200, 0, 0, 255], 4 * 4);
  pixels.set([0, 0, 0, 128], 5 * 4);
  return stampFrom(pixels, 1);
}

function pixelAt({ bytes }: Picture, column: number, row: number) {
  return [...bytes.subarray((row * WIDTH + column) * 4, (row * WIDTH + column) * 4 + 4)];
}

test('replaces opaque pixels, blends translucent ones and skips transparent ones', () => {
  const drawn = picture();
  drawStamp(drawn, stamp(), { x: 4, y: 2, strength: 1 });
  expect(pixelAt(drawn, 4, 2)).toEqual([200, 0, 0, 255]);
  expect(pixelAt(drawn, 5, 2)).toEqual([127, 127, 127, 255]);
  expect(pixelAt(drawn, 3, 2)).toEqual([255, 255, 255, 255]);
  expect(pixelAt(drawn, 4, 1)).toEqual([255, 255, 255, 255]);
});

test('blends a faded stamp with the pixels below it', () => {
  const drawn = picture();
  drawStamp(drawn, stamp(), { x: 4, y: 2, strength: 0.5 });
  expect(pixelAt(drawn, 4, 2)).toEqual([228, 128, 128, 255]);
});

test('clips a stamp at the edges of the picture without wrapping to the opposite edge', () => {
  fc.assert(
    fc.property(fc.integer({ min: -4, max: 12 }), fc.integer({ min: -4, max: 8 }), (x, y) => {
      const drawn = picture();
      drawStamp(drawn, stamp(), { x, y, strength: 1 });
      for (let row = 0; row < HEIGHT; row += 1) {
        for (let column = 0; column < WIDTH; column += 1) {
          const isCovered = row === y && (column === x || column === x + 1);
          expect(pixelAt(drawn, column, row)[1] !== 255).toBe(isCovered);
        }
      }
    }),
  );
});

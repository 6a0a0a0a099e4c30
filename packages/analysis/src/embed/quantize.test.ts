import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantizeTable, quantizeWeights } from './quantize.ts';

/** Encodes numbers as half-precision floats. */
function half(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * values.length));
  for (const [index, value] of values.entries()) view.setFloat16(2 * index, value, true);
  return new Uint8Array(view.buffer);
}

const numbers = fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 12, maxLength: 12 });

test('a row of zeros stays zero', () => {
  const data = new Int8Array(4).fill(1);
  quantizeWeights([half([0, 0, 0, 0])], 2, new Map(), data);
  expect(data).toEqual(new Int8Array(4));
  expect(quantizeTable(half([0, 0]), 2, data)[0]).toBe(1);
});

test('quantized weights have seven bits, are transposed, and differ from the original by at most half a step', () => {
  fc.assert(
    fc.property(numbers, numbers, (first, second) => {
      const data = new Int8Array(24);
      const scales = quantizeWeights([half(first), half(second)], 4, new Map(), data);
      const outputs = 6;
      for (let output = 0; output < outputs; output++) {
        for (let input = 0; input < 4; input++) {
          const weight = [...first, ...second][output * 4 + input] ?? 0;
          const rounded = data[input * outputs + output] ?? 0;
          const scale = scales[output] ?? 0;
          expect(Math.abs(rounded)).toBeLessThanOrEqual(63);
          expect(Math.abs(rounded * scale - weight)).toBeLessThanOrEqual(scale / 2 + 0.01);
        }
      }
    }),
  );
});

test('the weights of a divided input channel are multiplied by the divisor', () => {
  const data = new Int8Array(2);
  const scales = quantizeWeights([half([1, 2])], 2, new Map([[0, 4]]), data);
  expect(scales[0]).toBeCloseTo(4 / 63);
  expect([...data]).toEqual([63, 32]);
});

test('quantized table entries differ from the original by at most half a step of their row', () => {
  const data = new Int8Array(4);
  const scales = quantizeTable(half([1, -0.5, 100, 25]), 2, data);
  expect([...data]).toEqual([127, -63, 127, 32]);
  expect(scales[1]).toBeCloseTo(100 / 127);
});

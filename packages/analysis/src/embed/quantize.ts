import { readHalf } from './safetensors.ts';

/**
 * Largest magnitude of a quantized weight, which is seven bits. With eight bits, two products of
 * activations and weights overflow the 16-bit sums of x86 processors without VNNI. A vector must
 * not depend on the machine.
 */
const largestWeight = 63;
const largestEntry = 127;

/**
 * Quantizes a layer's weights to seven bits with one scale per output channel, and transposes them
 * to `inputs × outputs`. Works row by row: whole matrices in single precision would fragment the
 * memory of the process.
 *
 * @param matrices matrices of `rows × inputs` half-precision floats, row-major; their rows are the
 * output channels
 *
 * @param inputDivisors divisors of the input channels, which the weights compensate
 *
 * @param data destination, with as many numbers as the matrices
 *
 * @returns one scale per output
 */
export function quantizeWeights(
  matrices: readonly Uint8Array[],
  inputs: number,
  inputDivisors: ReadonlyMap<number, number>,
  data: Int8Array,
): Float32Array<ArrayBuffer> {
  const outputs = data.length / inputs;
  const scales = new Float32Array(outputs);
  const row = new Float32Array(inputs);
  let output = 0;
  for (const matrix of matrices) {
    for (let first = 0; first < matrix.byteLength / 2; first += inputs) {
      readHalf(matrix, first, row);
      for (const [input, divisor] of inputDivisors) row[input] = (row[input] ?? 0) * divisor;
      const scale = scaleFor(row, largestWeight);
      scales[output] = scale;
      for (let input = 0; input < inputs; input++) {
        data[input * outputs + output] = nearest((row[input] ?? 0) / scale);
      }
      output++;
    }
  }
  return scales;
}

/**
 * Quantizes a lookup table to eight bits with one scale per row.
 *
 * @param table rows of `width` half-precision floats
 *
 * @param data destination, with as many numbers as the table
 *
 * @returns one scale per row
 */
export function quantizeTable(table: Uint8Array, width: number, data: Int8Array): Float32Array<ArrayBuffer> {
  const scales = new Float32Array(data.length / width);
  const row = new Float32Array(width);
  for (let index = 0; index < scales.length; index++) {
    const first = index * width;
    readHalf(table, first, row);
    const scale = scaleFor(row, largestEntry);
    scales[index] = scale;
    for (let i = 0; i < width; i++) data[first + i] = nearest((row[i] ?? 0) / scale);
  }
  return scales;
}

/**
 * Rounds to the nearest integer. V8 computes this five times as fast as `Math.round`, and the model
 * has 22 million weights.
 */
function nearest(value: number): number {
  return Math.floor(value + 0.5);
}

function scaleFor(values: Float32Array, largestResult: number): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i] ?? 0);
    if (magnitude > largest) largest = magnitude;
  }
  return largest > 0 ? largest / largestResult : 1;
}

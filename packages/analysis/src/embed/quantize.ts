import { readHalf } from './safetensors.ts';

/**
 * Largest magnitude of a quantized weight: seven bits with sign. With eight bits, the sum of two
 * products overflows 16 bits on x86 processors without VNNI. Vectors would then depend on the
 * machine.
 */
const largestWeight = 63;
const largestEntry = 127;

/**
 * Quantizes the weights of a layer to seven bits, with one scale per output channel. Transposes
 * them to `inputs × outputs`. Works row by row, because whole matrices in single precision would
 * fragment the memory of the process.
 *
 * @param matrices matrices of `rows × inputs` half-precision floats, row-major; each row is an
 * output channel
 *
 * @param inputDivisors divisors of input channels; the weights of these channels are multiplied by
 * them
 *
 * @param data receives the quantized weights; must have as many elements as all matrices
 *
 * @returns one scale per output channel
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
 * Quantizes a lookup table to eight bits, with one scale per row.
 *
 * @param table rows of `width` half-precision floats
 *
 * @param data receives the quantized numbers; must have as many elements as the table
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
 * Rounds to the nearest integer. In V8, this is five times as fast as `Math.round`. The model has
 * 22 million weights.
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

/** Position of a tensor in the data of a safetensors file. */
interface Entry {
  readonly shape: readonly number[];
  readonly start: number;
  readonly end: number;
}

/**
 * Tensors of a safetensors file with half-precision floats.
 *
 * Format: https://github.com/huggingface/safetensors#format
 */
export class HalfTensors {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #entries: ReadonlyMap<string, Entry>;

  /**
   * Parses only the header. Tensors remain in `bytes`, and methods read them on request.
   *
   * @throws {Error} if the bytes are not a safetensors file
   */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const headerLength = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const dataStart = 8 + headerLength;
    const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(8, dataStart)));
    if (typeof header !== 'object' || header === null) throw new Error('The weights file has no header.');
    const entries = new Map<string, Entry>();
    for (const [name, value] of Object.entries(header)) {
      const entry = readEntry(value, dataStart);
      if (entry !== null) entries.set(name, entry);
    }
    this.#bytes = bytes;
    this.#entries = entries;
  }

  /**
   * Returns the bytes of a tensor without copying them: half-precision floats, little-endian,
   * row-major.
   *
   * @throws {Error} if there is no tensor with this name and shape
   */
  half(name: string, shape: readonly number[]): Uint8Array<ArrayBuffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.shape.join() !== shape.join()) {
      throw new Error(`The weights file has no half-precision tensor ${name} of shape ${shape.join(' × ')}.`);
    }
    return this.#bytes.subarray(entry.start, entry.end);
  }

  /**
   * Returns a copy of a tensor as single-precision floats, row-major.
   *
   * @throws {Error} if there is no tensor with this name and shape
   */
  float(name: string, shape: readonly number[]): Float32Array<ArrayBuffer> {
    const bytes = this.half(name, shape);
    const floats = new Float32Array(bytes.byteLength / 2);
    readHalf(bytes, 0, floats);
    return floats;
  }
}

/**
 * Fills the array `into` with half-precision floats from `bytes` (little-endian), starting with the
 * float at index `first`.
 */
export function readHalf(bytes: Uint8Array, first: number, into: Float32Array): void {
  let at = 2 * first;
  for (let i = 0; i < into.length; i++) {
    into[i] = halfValues[(bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8)] ?? 0;
    at += 2;
  }
}

/**
 * Table of all 65,536 half-precision floats by their bits. A lookup is several times as fast as a
 * conversion.
 */
const halfValues = tabulateHalves();

function tabulateHalves(): Float32Array {
  const view = new DataView(new ArrayBuffer(2));
  const values = new Float32Array(1 << 16);
  for (let bits = 0; bits < values.length; bits++) {
    view.setUint16(0, bits);
    values[bits] = view.getFloat16(0);
  }
  return values;
}

function readEntry(value: unknown, dataStart: number): Entry | null {
  if (typeof value !== 'object' || value === null) return null;
  const shape: unknown = Reflect.get(value, 'shape');
  const offsets: unknown = Reflect.get(value, 'data_offsets');
  if (Reflect.get(value, 'dtype') !== 'F16' || !isNumbers(shape) || !isNumbers(offsets)) return null;
  const [start, end] = offsets;
  if (start === undefined || end === undefined) return null;
  return { shape, start: dataStart + start, end: dataStart + end };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number');
}

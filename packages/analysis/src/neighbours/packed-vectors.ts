/** Vectors of length 1 (or 0) in 16-bit numbers, shared between threads without copying. */
export interface PackedVectors {
  readonly count: number;
  readonly dimensions: number;
  /** `count × dimensions`, row after row, over a SharedArrayBuffer: a number `x` stands for `x / scale`. */
  readonly data: Int16Array;
  readonly scale: number;
}

/** The largest scale at which no component of a vector of length 1 overflows; a dot product then fits 32 bits. */
const scale = 32_767;

/** A vector may be this much longer than 1 (squared), to allow for rounding where it came from. */
const longestSquared = 1.01;

/**
 * Rounds vectors to 16 bits; a dot product of two of them is then off by about 0.00001 at 384 dimensions.
 * @throws {RangeError} when a vector has another number of dimensions, is longer than 1, or is not finite.
 */
export function packVectors(vectors: readonly Float32Array[], dimensions: number): PackedVectors {
  const data = new Int16Array(new SharedArrayBuffer(2 * vectors.length * dimensions));
  for (const [row, vector] of vectors.entries()) {
    if (vector.length !== dimensions) {
      throw new RangeError(`Vector ${row} has ${vector.length} dimensions, not ${dimensions}.`);
    }
    const start = row * dimensions;
    let squared = 0;
    for (let i = 0; i < dimensions; i++) {
      const value = vector[i] ?? 0;
      squared += value * value;
      data[start + i] = Math.max(-scale, Math.min(scale, Math.round(value * scale)));
    }
    if (!(squared <= longestSquared)) {
      throw new RangeError(
        `Vector ${row} is longer than 1 (its squared length is ${squared}): normalize it first.`,
      );
    }
  }
  return { count: vectors.length, dimensions, data, scale };
}

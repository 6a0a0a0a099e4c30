/** Unit (or zero) vectors in 16-bit numbers, shared between threads without copying. */
export interface PackedVectors {
  readonly count: number;
  readonly dimensions: number;
  /**
   * `count × dimensions` numbers, row by row, in a SharedArrayBuffer. A number `x` represents `x /
   * scale`.
   */
  readonly data: Int16Array;
  readonly scale: number;
}

/**
 * Largest scale at which no component of a unit vector overflows. Dot products then fit in 32 bits.
 */
const scale = 32_767;

/** Maximum squared length of a vector, with tolerance for rounding. */
const longestSquared = 1.01;

/**
 * Rounds vectors to 16 bits. The error of a dot product is about 0.00001 at 384 dimensions.
 *
 * @throws {RangeError} if a vector has other dimensions, is longer than 1, or is not finite
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

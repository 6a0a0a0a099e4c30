/** Vectors of length 1 or 0 as 16-bit numbers. Threads share them without copying. */
export interface PackedVectors {
  readonly count: number;
  readonly dimensions: number;
  /**
   * The numbers of all vectors, one vector after the other, in a SharedArrayBuffer. The number `x`
   * represents the component `x / scale`.
   */
  readonly data: Int16Array;
  readonly scale: number;
}

/**
 * Largest scale at which components of unit vectors fit into 16 bits. Their dot products then fit
 * into 32 bits.
 */
const scale = 32_767;

/** Maximum squared length of a vector. It allows for rounding. */
const longestSquared = 1.01;

/**
 * Rounds the components of vectors to 16 bits. The error of a dot product is about 0.00001 at 384
 * dimensions.
 *
 * @throws {RangeError} if a vector has another number of dimensions, is longer than 1, or is not
 * finite
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

const INT16_SCALE = 32_767;

/** Encodes a unit vector as little-endian int16, in units of 1/32767. */
export function encodeVector(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 2);
  vector.forEach((value, index) => {
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * INT16_SCALE), index * 2);
  });
  return bytes;
}

/** Decodes a unit vector. Rounding to 16 bits may change its norm slightly. */
export function decodeVector(bytes: Buffer): Float32Array {
  const vector = new Float32Array(bytes.length / 2);
  for (let index = 0; index < vector.length; index += 1) {
    vector[index] = bytes.readInt16LE(index * 2) / INT16_SCALE;
  }
  return vector;
}

/**
 * Writes a Protocol Buffers message. Byte fields are copied only by `toBytes`. A message with tens
 * of megabytes of weights is therefore copied once.
 *
 * Wire format: https://protobuf.dev/programming-guides/encoding/
 */
export class MessageWriter {
  readonly #parts: Uint8Array[] = [];
  #byteLength = 0;

  /** Writes a non-negative integer (int32, int64, enum, bool) as a varint. */
  integer(field: number, value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a varint`);
    return this.#key(field, 0).#push(varint(value));
  }

  /** Writes a 32-bit float. */
  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#key(field, 5).#push(bytes);
  }

  /** Writes a string as UTF-8. */
  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  /** Writes a byte string. The array is not copied and must not change before `toBytes`. */
  bytes(field: number, value: Uint8Array): this {
    return this.#key(field, 2).#push(varint(value.byteLength)).#push(value);
  }

  /** Writes an embedded message. */
  message(field: number, value: MessageWriter): this {
    this.#key(field, 2).#push(varint(value.#byteLength));
    for (const part of value.#parts) this.#push(part);
    return this;
  }

  /** Returns the whole message in a new array. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#byteLength);
    let offset = 0;
    for (const part of this.#parts) {
      bytes.set(part, offset);
      offset += part.byteLength;
    }
    return bytes;
  }

  #key(field: number, wireType: number): this {
    return this.#push(varint(field * 8 + wireType));
  }

  #push(part: Uint8Array): this {
    this.#parts.push(part);
    this.#byteLength += part.byteLength;
    return this;
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

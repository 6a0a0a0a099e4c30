// Writes tar archives of regular files, in the ustar format (POSIX.1-1988). Sizes beyond 8 GiB use
// the encoding of GNU tar.

const BLOCK_BYTES = 512;
const MAX_OCTAL_SIZE = 8 ** 11 - 1;

/**
 * Returns the header of a regular file. Write exactly `size` bytes and {@link tarPadding} after it.
 * The name must be short and ASCII.
 */
export function tarHeader(name: string, size: number, modified: Date): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(name, 0, 100, 'latin1');
  block.write('0000644\0', 100, 'latin1');
  block.write('0000000\0', 108, 'latin1');
  block.write('0000000\0', 116, 'latin1');
  writeSize(block, size);
  block.write(octal(Math.floor(modified.getTime() / 1000), 11), 136, 'latin1');
  // The checksum covers the header, in which the checksum field contains spaces.
  block.write('        ', 148, 'latin1');
  block.write('0', 156, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
}

/** Returns the zero bytes that fill the last block of a file with this size. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

/** Marker that ends a tar archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);

function writeSize(block: Buffer, size: number): void {
  if (size <= MAX_OCTAL_SIZE) {
    block.write(octal(size, 11), 124, 'latin1');
    return;
  }
  block[124] = 0x80;
  block.writeBigUInt64BE(BigInt(size), 128);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

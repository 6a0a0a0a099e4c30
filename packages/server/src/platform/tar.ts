// The ustar format of POSIX.1-1988, as far as plain files need it; sizes beyond 8 GiB as GNU tar writes them.

const BLOCK = 512;
const LARGEST_OCTAL = 8 ** 11 - 1;

/** The header of a plain file, which exactly `size` bytes and then {@link tarPadding} follow. Names are short and ASCII. */
export function tarHeader(name: string, size: number, modified: Date): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100, 'latin1');
  block.write('0000644\0', 100, 'latin1');
  block.write('0000000\0', 108, 'latin1');
  block.write('0000000\0', 116, 'latin1');
  writeSize(block, size);
  block.write(octal(Math.floor(modified.getTime() / 1000), 11), 136, 'latin1');
  // The sum is taken with spaces in its own place.
  block.write('        ', 148, 'latin1');
  block.write('0', 156, 'latin1');
  block.write('ustar\u000000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148, 'latin1');
  return block;
}

/** What fills the last block of a file of this size. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** What an archive ends with. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

function writeSize(block: Buffer, size: number): void {
  if (size <= LARGEST_OCTAL) {
    block.write(octal(size, 11), 124, 'latin1');
    return;
  }
  block[124] = 0x80;
  block.writeBigUInt64BE(BigInt(size), 128);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX } from '@winnow/contract/api-key';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 40;
/** As many base62 digits as 32 bits need. */
const CHECK_DIGITS = 6;
/** How much of the random part is shown: enough to tell keys apart, and 34 digits stay unknown. */
const SHOWN_DIGITS = 6;

const KEY = new RegExp(`^${API_KEY_PREFIX}([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`);

/**
 * A new key: the prefix, 40 random base62 digits (238 bits), and their CRC-32 in six more. By the checksum a key that
 * was mistyped or cut off is refused without asking the database, and a scanner for secrets knows ours from look-alikes.
 */
export function newKey(): string {
  const random = Array.from({ length: RANDOM_DIGITS }, () => DIGITS.charAt(randomInt(DIGITS.length))).join(
    '',
  );
  return `${API_KEY_PREFIX}${random}${checksumOf(random)}`;
}

/** Whether the text could be a key of ours: it has the form, and the checksum fits. */
export function isWellFormed(text: string): boolean {
  const [, random, checksum] = KEY.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** How a key is stored: it has so many random bits that one pass of SHA-256 is enough. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The part of a key that may be shown. */
export function shownPrefix(key: string): string {
  return key.slice(0, API_KEY_PREFIX.length + SHOWN_DIGITS);
}

function checksumOf(random: string): string {
  let left = crc32(random);
  let digits = '';
  for (let place = 0; place < CHECK_DIGITS; place += 1) {
    digits = DIGITS.charAt(left % DIGITS.length) + digits;
    left = Math.floor(left / DIGITS.length);
  }
  return digits;
}

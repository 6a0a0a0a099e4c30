import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX } from '@winnow/contract/api-key';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 40;
/** Number of base62 digits that hold 32 bits. */
const CHECK_DIGITS = 6;
/**
 * Digits of the random part that are displayed: enough to tell keys apart, while 34 digits stay
 * secret.
 */
const DISPLAYED_DIGITS = 6;

const KEY_PATTERN = new RegExp(
  `^${API_KEY_PREFIX}([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`,
);

/**
 * Creates a key: the prefix, 40 random base62 digits (238 bits) and their CRC-32 in six more. The
 * checksum rejects mistyped keys without a database query, and lets secret scanners recognize our
 * keys.
 */
export function newKey(): string {
  const random = Array.from({ length: RANDOM_DIGITS }, () => DIGITS.charAt(randomInt(DIGITS.length))).join(
    '',
  );
  return `${API_KEY_PREFIX}${random}${checksumOf(random)}`;
}

/** True if the text has the form of an API key and its checksum is correct. */
export function isWellFormed(text: string): boolean {
  const [, random, checksum] = KEY_PATTERN.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** Hashes a key for storage. A key has 238 random bits, so one pass of SHA-256 is enough. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Returns the part of a key that may be displayed. */
export function shownPrefix(key: string): string {
  return key.slice(0, API_KEY_PREFIX.length + DISPLAYED_DIGITS);
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

import { createHash, randomBytes } from 'node:crypto';
import { CODE_DIGITS, RECOVERY_CODES } from '@winnow/contract/second-factor';
import { generateSecret, generateURI, verifySync } from 'otplib';

const ISSUER = 'Winnow';
/** Accepted clock difference between the server and the app: one code before and after. */
const TOLERANCE_SECONDS = 30;
/** 80 random bits, so that one pass of SHA-256 protects a stored code. */
const RECOVERY_CODE_BYTES = 10;
const RECOVERY_GROUP_CHARS = 4;
/** Base32 without letters and digits that look alike (Crockford). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHAR = 5;

/** Returns a new secret in Base32, with 160 random bits. */
export function newAuthenticatorSecret(): string {
  return generateSecret();
}

/** Returns the `otpauth:` address of a secret, for a QR code. */
export function authenticatorUri(secret: string, username: string): string {
  return generateURI({ issuer: ISSUER, label: username, secret });
}

/**
 * Returns the time step of a valid code (RFC 6238, 30 s each), or null for an invalid one. Codes up
 * to the step `lastStep` were used or replaced, and are invalid.
 */
export function timeStepOf(
  code: string,
  { secret, lastStep, now }: { secret: string; lastStep: number | null; now: Date },
): number | null {
  const token = code.replace(/[\s-]/g, '');
  if (!new RegExp(`^\\d{${CODE_DIGITS}}$`).test(token)) return null;
  const result = verifySync({
    ...{ secret, token },
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: TOLERANCE_SECONDS,
  });
  if (!result.valid || !('timeStep' in result)) return null;
  return lastStep === null || result.timeStep > lastStep ? result.timeStep : null;
}

/** Returns new recovery codes such as `8k2d-0qv7-m3xa-t9eh`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let bits = BigInt(`0x${randomBytes(RECOVERY_CODE_BYTES).toString('hex')}`);
    let text = '';
    for (let at = 0; at < (RECOVERY_CODE_BYTES * 8) / BITS_PER_CHAR; at += 1) {
      text += ALPHABET[Number(bits % 32n)];
      bits /= 32n;
    }
    return (text.match(new RegExp(`.{${RECOVERY_GROUP_CHARS}}`, 'g')) ?? []).join('-');
  });
}

/**
 * Hashes a recovery code. Case, spaces and dashes do not matter. `o` counts as 0, `i` and `l` as 1.
 */
export function recoveryCodeHash(code: string): Buffer {
  const typed = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return createHash('sha256').update(typed).digest();
}

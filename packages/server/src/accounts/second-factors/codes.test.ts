import { describe, expect, test } from 'vitest';
import { authenticatorUri, newRecoveryCodes, recoveryCodeHash, timeStepOf } from './codes.ts';

/** The secret of the test vectors of RFC 6238, appendix B, for SHA-1. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

function stepAt(code: string, seconds: number, lastStep: number | null = null): number | null {
  return timeStepOf(code, { secret: SECRET, lastStep, now: new Date(seconds * 1000) });
}

describe('a code of an authenticator app', () => {
  // The last six digits of the eight of the RFC.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('at %i s is the one of RFC 6238', (seconds, code) => {
    expect(stepAt(code, seconds)).toBe(Math.floor(seconds / 30));
  });

  test('is accepted one step earlier and later, and no further', () => {
    const step = Math.floor(1_111_111_111 / 30);
    const at = (steps: number) => stepAt('050471', 1_111_111_111 + 30 * steps);
    expect([at(-2), at(-1), at(0), at(1), at(2)]).toEqual([null, step, step, step, null]);
  });

  test('is refused if it or a later one was used', () => {
    const step = Math.floor(1_111_111_111 / 30);
    const after = (lastStep: number) => stepAt('050471', 1_111_111_111, lastStep);
    expect([after(step - 1), after(step), after(step + 1)]).toEqual([step, null, null]);
  });

  test.each(['', '05047', '0504711', 'o50471', '050471a', '٠٥٠٤٧١', '+50471', '1e5471'])(
    'is not %j',
    (code) => {
      expect(stepAt(code, 1_111_111_111)).toBeNull();
    },
  );

  test.each(['050 471', '050-471', '050\u00a0471\t'])('may be typed in groups: %j', (code) => {
    expect(stepAt(code, 1_111_111_111)).not.toBeNull();
  });

  test('is refused, not an error, if the clock of the server was set back', () => {
    expect(stepAt('050471', 1_111_111_111, Math.floor(1_111_111_111 / 30) + 100)).toBeNull();
  });
});

test('the address for the app names the product and the user', () => {
  const uri = new URL(authenticatorUri(SECRET, 'ada.l'));
  expect(`${uri.protocol}//${uri.host}${decodeURIComponent(uri.pathname)}`).toBe(
    'otpauth://totp/Winnow:ada.l',
  );
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: SECRET, issuer: 'Winnow' });
});

describe('recovery codes', () => {
  test('are ten different ones of 80 bits', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  });

  test('are recognized without dashes, in capitals, and with letters that look like digits', () => {
    const hash = recoveryCodeHash('8k2d-0qv7-m1xa-t9eh');
    for (const typed of [
      '8k2d0qv7m1xat9eh',
      ' 8K2D 0QV7 M1XA T9EH',
      '8k2d-oqv7-mlxa-t9eh',
      '8k2d-OQV7-mIxa-t9eh',
    ])
      expect(recoveryCodeHash(typed).equals(hash)).toBe(true);
    expect(recoveryCodeHash('8k2d-0qv7-m1xa-t9eg').equals(hash)).toBe(false);
  });
});

import type { SecondFactors } from '@winnow/contract/second-factor';
import { ApiError } from '../../../../api/session/api-error.ts';
import { canUsePasskeys } from '../../../../api/session/passkeys.ts';

/** True if changes need a second factor instead of the password. */
export function hasFactor({ authenticator_added_at, passkeys }: SecondFactors): boolean {
  return authenticator_added_at !== null || passkeys.length > 0;
}

/** True if the user has a passkey, and this page can ask for it. */
export function canProveByPasskey({ passkeys, passkey_origin }: SecondFactors): boolean {
  return passkeys.length > 0 && passkey_origin === window.location.origin && canUsePasskeys();
}

/** Describes the field for a code of a second factor. */
export function codeHint(factors: SecondFactors): string {
  const codes =
    factors.authenticator_added_at === null
      ? 'A recovery code.'
      : 'From your authenticator app, or a recovery code.';
  return canProveByPasskey(factors) ? `${codes} Leave it empty to use a passkey.` : codes;
}

/** Returns why this page cannot use passkeys; null if it can. `origin` is where they work. */
export function passkeyObstacle({ passkey_origin }: SecondFactors): {
  text: string;
  origin: string | null;
} | null {
  if (passkey_origin === null) {
    return {
      text: 'Passkeys need an address with a host name and https. This server has none: ask your administrator.',
      origin: null,
    };
  }
  if (passkey_origin !== window.location.origin) {
    return {
      text: 'Browsers bind passkeys to a host name. Here they work at another address only:',
      origin: passkey_origin,
    };
  }
  return canUsePasskeys() ? null : { text: 'This browser does not support passkeys.', origin: null };
}

/** Codes of errors that a change in another tab or browser causes. */
const CHANGED_ELSEWHERE: ReadonlySet<string> = new Set([
  'not_found',
  'authenticator_exists',
  'passkey_exists',
  'too_many_passkeys',
]);

/**
 * Returns a sentence about a change in another tab or browser, which made this one impossible; null
 * for any other error.
 */
export function changedElsewhere(error: Error): string | null {
  if (!(error instanceof ApiError) || !CHANGED_ELSEWHERE.has(error.code)) return null;
  return error.code === 'not_found'
    ? 'It was removed in another tab or browser. This page now shows the current state.'
    : `${error.detail} This page now shows the current state.`;
}

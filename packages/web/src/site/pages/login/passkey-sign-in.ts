import { type TokenPair, tokenPair } from '@winnow/contract/account';
import { type PasskeyAssertion, passkeyRequestOptions } from '@winnow/contract/passkey';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import {
  canAutofillPasskeys,
  cancelPasskeyAutofill,
  canUsePasskeys,
  signWithPasskey,
} from '../../../api/session/passkeys.ts';
import { loadSession } from '../../session/visitor.ts';

/** A challenge is valid for five minutes. A new one is requested before that. */
const AUTOFILL_RENEWAL_MS = 4 * 60_000;
/** True while the user was asked for a passkey by a button. The offer must not interrupt that. */
let isAsking = false;

const subscribeToNothing = () => () => undefined;

/** True if this browser can use passkeys at this address. False until the page's script runs. */
export function useCanUsePasskeys(): boolean {
  return useSyncExternalStore(subscribeToNothing, canUsePasskeys, () => false);
}

/** Asks for a passkey of this site, and returns its signature. */
export async function askForPasskey({ asAutofill = false } = {}): Promise<PasskeyAssertion> {
  isAsking ||= !asAutofill;
  try {
    const { publicApi } = await loadSession();
    const options = await publicApi('POST', '/auth/passkeys/sign-in/options', {
      schema: passkeyRequestOptions,
    });
    return await signWithPasskey(options, { asAutofill });
  } finally {
    if (!asAutofill) isAsking = false;
  }
}

/** Exchanges the signature of a passkey for a session. */
export async function signInWithPasskey(passkey: PasskeyAssertion): Promise<TokenPair> {
  const { publicApi } = await loadSession();
  return publicApi('POST', '/auth/passkeys/sign-in', { body: { passkey }, schema: tokenPair });
}

/**
 * Offers passkeys in the username field, in browsers that can. `onPasskey` gets the signature of
 * the one that the user picks.
 */
export function usePasskeyAutofill(
  isEnabled: boolean,
  onPasskey: (passkey: PasskeyAssertion) => Promise<void>,
): void {
  const latest = useRef(onPasskey);
  useEffect(() => {
    latest.current = onPasskey;
  });
  useEffect(() => {
    if (!isEnabled) return undefined;
    let isEnded = false;
    const offer = async () => {
      if (isAsking || !(await canAutofillPasskeys()) || isEnded) return;
      const passkey = await askForPasskey({ asAutofill: true });
      if (!isEnded) await latest.current(passkey);
    };
    // A failure of the offer is no failure of the user, who can sign in another way.
    const start = () => void offer().catch(() => undefined);
    start();
    const timer = window.setInterval(start, AUTOFILL_RENEWAL_MS);
    return () => {
      isEnded = true;
      window.clearInterval(timer);
      void cancelPasskeyAutofill();
    };
  }, [isEnabled]);
}

import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@winnow/contract/passkey';
import { ApiError } from './api-error.ts';

/** Loads the WebAuthn client on first use. */
const loadWebAuthn = () => import('@simplewebauthn/browser');

/** An IPv4 address, or an IPv6 address in brackets. Browsers bind passkeys to host names only. */
const IP_ADDRESS = /^(\d+(\.\d+){3}|\[.*\])$/;

/** True if this browser can use passkeys of the current address. */
export function canUsePasskeys(): boolean {
  return (
    window.isSecureContext &&
    typeof window.PublicKeyCredential === 'function' &&
    !IP_ADDRESS.test(window.location.hostname)
  );
}

/**
 * Asks the browser to sign with a passkey. With `asAutofill`, the browser offers passkeys in the
 * username field, and the promise stays pending until the user picks one. Throws an
 * {@link ApiError} with a sentence for the user.
 */
export async function signWithPasskey(
  options: PasskeyRequestOptions,
  { asAutofill = false } = {},
): Promise<PasskeyAssertion> {
  const { startAuthentication } = await loadWebAuthn();
  const { id, rawId, response } = await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: asAutofill,
  }).catch(rethrow);
  const { userHandle, ...signed } = response;
  return {
    ...{ id, rawId, type: 'public-key' },
    response: { ...signed, ...(userHandle === undefined ? {} : { userHandle }) },
  };
}

/**
 * Asks the browser to create a passkey. Throws an {@link ApiError} with a sentence for the user.
 */
export async function createPasskey(options: PasskeyCreationOptions): Promise<PasskeyRegistration> {
  const { startRegistration } = await loadWebAuthn();
  const { id, rawId, response } = await startRegistration({ optionsJSON: options }).catch(rethrow);
  const { attestationObject, clientDataJSON, transports } = response;
  return {
    ...{ id, rawId, type: 'public-key' },
    response: { attestationObject, clientDataJSON, ...(transports === undefined ? {} : { transports }) },
  };
}

/** True if the browser can offer passkeys in a text field. */
export async function canAutofillPasskeys(): Promise<boolean> {
  if (!canUsePasskeys()) return false;
  return (await loadWebAuthn()).browserSupportsWebAuthnAutofill();
}

/** Ends the request of {@link signWithPasskey} that waits in the username field. */
export async function cancelPasskeyAutofill(): Promise<void> {
  (await loadWebAuthn()).WebAuthnAbortService.cancelCeremony();
}

/** Sentences by the name of the browser's error. */
const SENTENCES: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: the request was canceled or took too long.',
  AbortError: 'No passkey was used: the request was canceled.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address.',
  NotSupportedError: 'This device cannot store passkeys.',
  ConstraintError: 'This device cannot check that it is you, such as by a fingerprint or PIN.',
};

function rethrow(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  const detail = SENTENCES[name] ?? 'The passkey could not be used. Try again.';
  throw new ApiError({ status: 0, code: 'passkey_unused', detail }, { cause: error });
}

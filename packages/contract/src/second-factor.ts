import { z } from 'zod';
import { MAX_FACTOR_CODE_CHARS, MAX_PASSWORD_CHARS } from './account.ts';
import { passkey, passkeyAssertion, passkeyName } from './passkey.ts';
import { instant } from './primitives.ts';

/** Digits of a code from an authenticator app. */
export const CODE_DIGITS = 6;
/** Recovery codes in one set. */
export const RECOVERY_CODES = 10;

/** A code of an authenticator app, or a recovery code. Spaces, dashes and case do not matter. */
export const factorCode = z.string().trim().min(1, 'Enter the code.').max(MAX_FACTOR_CODE_CHARS);

/** Second factors of the signed-in user. */
export const secondFactors = z.object({
  /** Time when the authenticator app was added. Null if there is none. */
  authenticator_added_at: instant.nullable(),
  /** Passkeys, oldest first. */
  passkeys: z.array(passkey),
  /**
   * Origin of the pages where passkeys work. Null if the public address of the server is an IP
   * address, or not encrypted.
   */
  passkey_origin: z.string().nullable(),
  /** Number of recovery codes that are not used yet. */
  recovery_codes_left: z.int(),
});
export type SecondFactors = z.infer<typeof secondFactors>;

/**
 * Proves that the user makes the request, because a session may be stolen. A user with a second
 * factor sends a code or a passkey. Any other user sends the password.
 */
export const identityProof = z.object({
  current_password: z.string().min(1, 'Enter your current password.').max(MAX_PASSWORD_CHARS).optional(),
  code: factorCode.optional(),
  passkey: passkeyAssertion.optional(),
});
export type IdentityProof = z.infer<typeof identityProof>;

/** Changes the name of a passkey. */
export const passkeyRename = identityProof.extend({ name: passkeyName });
export type PasskeyRename = z.infer<typeof passkeyRename>;

/** The secret of a new authenticator app. It is shown once. */
export const authenticatorSetup = z.object({
  /** The secret in Base32, for apps without a camera. */
  secret: z.string(),
  /** An `otpauth:` address, which the page shows as a QR code. */
  uri: z.string(),
});
export type AuthenticatorSetup = z.infer<typeof authenticatorSetup>;

/** The first code of a new authenticator app. */
export const codeRequest = z.object({ code: factorCode });

/** A new set of recovery codes. They are shown once, and each works once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

/** Recovery codes of a user who adds the first second factor. Null for any other user. */
export const firstRecoveryCodes = z.object({ recovery_codes: z.array(z.string()).nullable() });
export type FirstRecoveryCodes = z.infer<typeof firstRecoveryCodes>;

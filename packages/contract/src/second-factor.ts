import { z } from 'zod';
import { MAX_FACTOR_CODE_CHARS, MAX_PASSWORD_CHARS } from './account.ts';
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
  /** Number of recovery codes that are not used yet. */
  recovery_codes_left: z.int(),
});
export type SecondFactors = z.infer<typeof secondFactors>;

/** Starts adding an authenticator app. Requires the password, because a session may be stolen. */
export const authenticatorStart = z.object({
  current_password: z.string().min(1, 'Enter your current password.').max(MAX_PASSWORD_CHARS),
});

/** The secret of a new authenticator app. It is shown once. */
export const authenticatorSetup = z.object({
  /** The secret in Base32, for apps without a camera. */
  secret: z.string(),
  /** An `otpauth:` address, which the page shows as a QR code. */
  uri: z.string(),
});
export type AuthenticatorSetup = z.infer<typeof authenticatorSetup>;

export const codeRequest = z.object({ code: factorCode });

/** A new set of recovery codes. They are shown once, and each works once. */
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

import { z } from 'zod';
import { passkeyAssertion } from './passkey.ts';
import { id, instant } from './primitives.ts';

/** Minimum password length. Every form and route that sets a password uses it. */
export const MIN_PASSWORD_CHARS = 8;
/** Maximum password length. It limits the cost of hashing. */
export const MAX_PASSWORD_CHARS = 200;

export const username = z
  .string()
  .trim()
  .min(3, 'A username has at least 3 characters.')
  .max(50, 'A username has at most 50 characters.')
  .regex(/^[A-Za-z0-9_.-]+$/, 'Use only letters, digits, and _ . -');

const NO_EMAIL = 'This is not an email address.';
export const email = z
  .string(NO_EMAIL)
  .trim()
  .min(1, 'Enter your email address.')
  .pipe(z.email(NO_EMAIL).max(254));

export const newPassword = z
  .string()
  .min(MIN_PASSWORD_CHARS, 'Password must be at least 8 characters long.')
  .max(MAX_PASSWORD_CHARS, 'Password must be at most 200 characters long.');

export const registerRequest = z.object({ username, email, password: newPassword });
export type RegisterRequest = z.infer<typeof registerRequest>;

/** Maximum length of a second-factor code as the user types it, including spaces and dashes. */
export const MAX_FACTOR_CODE_CHARS = 40;

/** A second factor. Needed if the user has one. */
const secondFactor = {
  /** Code of the authenticator app, or a recovery code. */
  code: z.string().trim().min(1, 'Enter the code.').max(MAX_FACTOR_CODE_CHARS).optional(),
  passkey: passkeyAssertion.optional(),
};

/** `username` accepts a username or an email address. */
export const loginRequest = z.object({
  username: z.string().trim().min(1, 'Enter your username.').max(254),
  password: z.string().min(1, 'Enter your password.').max(MAX_PASSWORD_CHARS),
  ...secondFactor,
});
export type LoginRequest = z.infer<typeof loginRequest>;

/** Maximum length accepted for the token of an emailed link. Real tokens are shorter. */
const MAX_LINK_TOKEN_CHARS = 200;

/**
 * Creates the schema for the token of an emailed link. A malformed token gets the message `wrong`,
 * the same as an invalid token.
 */
function linkToken(missing: string, wrong: string) {
  return z.string({ error: missing }).min(1, missing).max(MAX_LINK_TOKEN_CHARS, wrong);
}

export const INVALID_RESET_TOKEN = 'Invalid or expired reset token.';
export const INVALID_VERIFICATION_TOKEN = 'Invalid or expired verification token.';
/** Message of the 403 error with the code `email_unconfirmed`. */
export const EMAIL_UNCONFIRMED =
  'Confirm your email address first: open the link in the email that was sent to you.';
export const INVALID_ONBOARDING_LINK = 'Invalid or expired onboarding link.';

/** Account details that an invited user chooses, with the token of the emailed link. */
export const onboardingRequest = registerRequest.extend({
  token: linkToken(INVALID_ONBOARDING_LINK, INVALID_ONBOARDING_LINK),
});
export type OnboardingRequest = z.infer<typeof onboardingRequest>;

export const forgotPasswordRequest = z.object({ email });

export const resetPasswordRequest = z.object({
  token: linkToken('No reset token found in the URL.', INVALID_RESET_TOKEN),
  new_password: newPassword,
});
export type ResetPasswordRequest = z.infer<typeof resetPasswordRequest>;

export const verifyEmailRequest = z.object({
  token: linkToken('No verification token found in the URL.', INVALID_VERIFICATION_TOKEN),
});

/**
 * Request to change the password. The user's other sessions always end. The optional fields also
 * revoke API keys and stop flows.
 */
export const passwordChange = z.object({
  current_password: z.string().min(1, 'Enter your current password.').max(MAX_PASSWORD_CHARS),
  new_password: newPassword,
  revoke_api_keys: z.boolean().default(false),
  /**
   * True to switch off flows that write, and flows that use custom models or MCP servers. Running
   * executions of these flows stop.
   */
  switch_off_flows: z.boolean().default(false),
  ...secondFactor,
});
export type PasswordChange = z.input<typeof passwordChange>;

/** A sentence that tells the user what was done. */
export const doneMessage = z.object({ message: z.string() });

/** Access that ended because the password was changed or reset. */
export const endedAccess = z.object({
  /** Number of sessions that ended. */
  sessions: z.int(),
  /** Names of the API keys that were revoked. */
  api_keys: z.array(z.string()),
  /** Names of the flows that were switched off. */
  flows: z.array(z.string()),
  /**
   * True if the built-in analyst replaced the default model. A custom default model is always
   * replaced. If someone else may have set up the account, any default model is replaced.
   */
  default_model: z.boolean(),
});
export type EndedAccess = z.infer<typeof endedAccess>;

export const passwordResetDone = doneMessage.extend({ ended: endedAccess });

export const refreshRequest = z.object({ refresh_token: z.string().min(1).max(500) });

export const tokenPair = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds until the access token expires. */
  expires_in: z.int(),
});
export type TokenPair = z.infer<typeof tokenPair>;

export const registeredUser = z.object({
  id,
  username: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  email_verified: z.boolean(),
});
export type RegisteredUser = z.infer<typeof registeredUser>;

export const currentUser = registeredUser.extend({
  account_id: id,
  created_at: instant,
  /** True if API keys, trackers and flows that write need a confirmed email address first. */
  must_confirm_email: z.boolean(),
});
export type CurrentUser = z.infer<typeof currentUser>;

export const profileUpdate = z.object({
  full_name: z.string().trim().max(200, 'A name has at most 200 characters.').nullable(),
});
export type ProfileUpdate = z.infer<typeof profileUpdate>;

/** File name of an account's data export. */
export const ACCOUNT_EXPORT = 'winnow-account.tar.gz';

/** Deletes the account. Requires the username and password as confirmation. */
export const accountDeletion = z.object({
  username: z.string().min(1, 'Enter your username.').max(200),
  current_password: z.string().min(1, 'Enter your current password.').max(MAX_PASSWORD_CHARS),
  ...secondFactor,
});
export type AccountDeletion = z.infer<typeof accountDeletion>;

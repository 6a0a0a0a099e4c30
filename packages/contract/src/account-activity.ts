import { z } from 'zod';
import { id, instant, memberOf, pageQuery } from './primitives.ts';

/** Account events listed under Recent activity, with their labels. */
export const ACCOUNT_EVENTS = {
  registered: { label: 'Account created', tone: 'info' },
  signed_in: { label: 'Signed in', tone: 'neutral' },
  new_device: { label: 'Signed in from a new device', tone: 'info' },
  sign_in_failed: { label: 'Sign-in failed: wrong password', tone: 'warning' },
  sign_in_refused: { label: 'Sign-in refused: too many attempts', tone: 'danger' },
  signed_out: { label: 'Signed out', tone: 'neutral' },
  session_ended: { label: 'Session ended', tone: 'neutral' },
  token_reused: { label: 'Session ended: its token was used twice', tone: 'danger' },
  password_changed: { label: 'Password changed', tone: 'info' },
  password_reset: { label: 'Password reset by email', tone: 'info' },
  password_check_failed: { label: 'Wrong current password', tone: 'warning' },
  code_check_failed: { label: 'Wrong code of a second factor', tone: 'warning' },
  factor_missing: { label: 'Right password, but no second factor', tone: 'warning' },
  passkey_check_failed: { label: 'Passkey refused', tone: 'warning' },
  passkey_copied: { label: 'Passkey refused: it may have been copied', tone: 'danger' },
  passkey_added: { label: 'Passkey added', tone: 'info' },
  passkey_renamed: { label: 'Passkey renamed', tone: 'neutral' },
  passkey_removed: { label: 'Passkey removed', tone: 'warning' },
  second_factor_added: { label: 'Authenticator app added', tone: 'info' },
  second_factors_removed: { label: 'All second factors removed', tone: 'warning' },
  second_factor_removed: { label: 'Authenticator app removed', tone: 'warning' },
  recovery_code_used: { label: 'Recovery code used', tone: 'warning' },
  recovery_codes_renewed: { label: 'Recovery codes replaced', tone: 'info' },
  reset_requested: { label: 'Password reset requested', tone: 'info' },
  email_verified: { label: 'Email address confirmed', tone: 'info' },
  registration_repeated: { label: 'Registration with your email address', tone: 'warning' },
  api_key_created: { label: 'API key created', tone: 'info' },
  api_key_revoked: { label: 'API key revoked', tone: 'neutral' },
  account_exported: { label: 'Export of account data requested', tone: 'info' },
} as const satisfies Record<string, { label: string; tone: 'neutral' | 'info' | 'warning' | 'danger' }>;
export const accountEventKind = memberOf(ACCOUNT_EVENTS);
export type AccountEventKind = z.infer<typeof accountEventKind>;

export const accountEvent = z.object({
  id,
  kind: accountEventKind,
  at: instant,
  /** IP address that the request came from. */
  address: z.string().nullable(),
  /** Browser and system, such as `Firefox on Linux`. */
  device: z.string().nullable(),
  /** Name of the object that the event concerns, such as the name of an API key. */
  detail: z.string().nullable(),
});
export type AccountEvent = z.infer<typeof accountEvent>;

export const accountEventPage = z.object({ events: z.array(accountEvent), total: z.int() });
export const accountEventQuery = z.object(pageQuery(10));

/** A signed-in session of the user, with its device. */
export const session = z.object({
  id,
  device: z.string().nullable(),
  address: z.string().nullable(),
  created_at: instant,
  /** Time of the last token renewal. A session in use renews its token every 15 minutes. */
  last_used_at: instant,
  /** Time at which the session ends, even if it is in use. */
  expires_at: instant,
  /** True if this session made the request. */
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;
export const sessionList = z.array(session);

import type { AccountEventKind } from '@winnow/contract/account-activity';
import type { Scope } from '@winnow/contract/api-key';
import type { Headcount, LeadTracker } from '@winnow/contract/lead';
import type { Generated } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

export interface AccountTable {
  id: string;
  created_at: InstantByDefault;
  /** When its owner asked for all of it to be removed, which is being done. */
  leaving_at: Instant | null;
}

export interface UserTable {
  account_id: string;
  id: string;
  username: string;
  email: string;
  full_name: string | null;
  /** argon2id; null while the user is `pending`. */
  password_hash: string | null;
  state: 'active' | 'pending';
  email_verified_at: Instant | null;
  created_at: InstantByDefault;
  /** Null until the first sign-in with a password. */
  last_sign_in_at: Instant | null;
  /**
   * When a reader of this address's mail was shown to hold the account: the password was chosen through a mailed link, or the
   * address was confirmed in a browser that had signed in to the account. Null while someone else may know the password.
   */
  owner_confirmed_at: Instant | null;
  /** True if another user had the address at registration. Such a user is never found by it, mailed at it or verified. */
  email_taken: Generated<boolean>;
}

export interface SessionTable {
  account_id: string;
  id: string;
  user_id: string;
  created_at: InstantByDefault;
  revoked_at: Instant | null;
  /** The address and browser of the last sign-in or refresh; null for sessions older than these columns. */
  address: string | null;
  user_agent: string | null;
  last_used_at: InstantByDefault;
}

/** A browser that a user registered or signed in with. It holds the token in a cookie. */
export interface DeviceTable {
  account_id: string;
  user_id: string;
  token_hash: Buffer;
  address: string;
  /** The network of the address: /24 for IPv4, /48 for IPv6. */
  network: string;
  user_agent: string | null;
  created_at: Instant;
  last_used_at: Instant;
}

/** Something that happened to an account: a sign-in, a new password, an API key. */
export interface AccountEventTable {
  account_id: string;
  id: string;
  kind: AccountEventKind;
  at: Instant;
  address: string | null;
  user_agent: string | null;
  /** What it concerned, such as the name of a key. Never a secret. */
  detail: string | null;
}

export interface RefreshTokenTable {
  token_hash: Buffer;
  account_id: string;
  session_id: string;
  created_at: InstantByDefault;
  expires_at: Instant;
  spent_at: Instant | null;
}

/** The open token of a mailed link: one for each purpose of a user. A token that was used is not here any more. */
export interface OneTimeTokenTable {
  account_id: string;
  user_id: string;
  purpose: 'onboarding' | 'verify_email' | 'reset_password';
  token_hash: Buffer;
  expires_at: Instant;
}

/** A key that programs call with. One that was revoked is not here any more. */
export interface ApiKeyTable {
  account_id: string;
  id: string;
  /** Who made it. */
  user_id: string;
  name: string;
  /** The first characters of the key, which its owner tells it by. */
  prefix: string;
  /** SHA-256 of the key, unique over all accounts. */
  key_hash: Buffer;
  scopes: Scope[];
  created_at: Instant;
  expires_at: Instant | null;
  last_used_at: Instant | null;
}

/** What is allowed so often in a time only, such as guessing a password. */
export interface AttemptTable {
  id: string;
  /** SHA-256 of who attempts what. */
  subject: Buffer;
  counts_until: Instant;
}

/** Somebody who wants to be shown the product. They have no account. */
export interface LeadTable {
  id: string;
  name: string;
  email: string;
  role: string;
  org: string;
  headcount: Headcount;
  trackers: LeadTracker[];
  comments: string | null;
  source: string;
  created_at: InstantByDefault;
}

import type { AccountEventKind } from '@winnow/contract/account-activity';
import type { Scope } from '@winnow/contract/api-key';
import type { AuditActorType, AuditEventKind } from '@winnow/contract/audit';
import type { Headcount, LeadTracker } from '@winnow/contract/lead';
import type { Role } from '@winnow/contract/role';
import type { Invitation } from '@winnow/contract/workspace';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

export interface AccountTable {
  id: string;
  created_at: InstantByDefault;
  /** Time of the owner's request to delete the account. Null unless the deletion is in progress. */
  leaving_at: Instant | null;
  /**
   * Minimum probability of pairs in the queue, as set by the account. Null: the default applies.
   */
  pair_mark: number | null;
  /** Null for a personal workspace that was never renamed. It then has its user's name. */
  name: string | null;
  /** True if closing issues and bulk changes need the approval of a second person. */
  four_eyes: Generated<boolean>;
  /** True if members without a second factor are refused. */
  require_second_factor: Generated<boolean>;
}

/** Membership of a user in a workspace. */
export interface MemberTable {
  account_id: string;
  user_id: string;
  role: Role;
  joined_at: InstantByDefault;
}

/** A user who was removed from a workspace. */
export interface RemovedMemberTable {
  account_id: string;
  user_id: string;
  removed_at: Instant;
}

/** An open invitation to a workspace. Used, withdrawn and expired ones are deleted. */
export interface InvitationTable {
  account_id: string;
  id: string;
  kind: Invitation['kind'];
  role: Role;
  /** The invited address, of the kind `email`. */
  email: string | null;
  /** The invited domain, of the kind `domain`. */
  domain: string | null;
  /** SHA-256 of the link's token. Null for a domain. */
  token_hash: Buffer | null;
  uses_left: number | null;
  invited_by: string | null;
  created_at: Instant;
  expires_at: Instant | null;
}

/** An event in the audit log of a workspace. */
export interface AuditEventTable {
  account_id: string;
  id: string;
  at: Instant;
  kind: AuditEventKind;
  actor_type: AuditActorType;
  actor_id: string | null;
  /** Name of the actor at that time. */
  actor_name: string;
  address: string | null;
  /** Subject of the event, such as the name of a member or a key. Never a secret. */
  subject: string | null;
  details: JSONColumnType<Record<string, string>>;
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
   * Time when the owner of the email address was proven to own the account. Either the password was
   * set through an emailed link, or the address was confirmed in a signed-in browser. Null while
   * someone else may know the password.
   */
  owner_confirmed_at: Instant | null;
  /**
   * True if another user had the address at registration. The address is then never used to find,
   * email or verify this user.
   */
  email_taken: Generated<boolean>;
}

export interface SessionTable {
  account_id: string;
  id: string;
  user_id: string;
  created_at: InstantByDefault;
  revoked_at: Instant | null;
  /**
   * Address and browser of the last sign-in or refresh. Null for sessions older than these columns.
   */
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

/** The authenticator app of a user. */
export interface AuthenticatorTable {
  account_id: string;
  id: string;
  user_id: string;
  sealed_secret: Buffer;
  /** Null until the first code was entered. Sign-ins require the app from then on. */
  added_at: Instant | null;
  /** Time step of the last used code (30 s each). No code up to it is accepted again. */
  last_step: number | null;
}

/** A passkey of a user (WebAuthn). The private key never leaves the user's device. */
export interface PasskeyTable {
  account_id: string;
  id: string;
  user_id: string;
  /** Id that the device gave to the passkey. Unique over all accounts. */
  credential_id: Buffer;
  /** COSE key. */
  public_key: Buffer;
  /** Signatures so far, as the device counts them. Always 0 for devices that do not count. */
  sign_count: number;
  transports: string[];
  name: string;
  synced: boolean;
  /** True if the password changed since. The passkey then needs it once. */
  password_required: ColumnType<boolean, boolean | undefined>;
  created_at: Instant;
  last_used_at: Instant | null;
}

/** An unused recovery code. Used codes are deleted. */
export interface RecoveryCodeTable {
  account_id: string;
  user_id: string;
  code_hash: Buffer;
}

/** An event in the security history of an account: a sign-in, a new password, an API key. */
export interface AccountEventTable {
  account_id: string;
  id: string;
  kind: AccountEventKind;
  at: Instant;
  address: string | null;
  user_agent: string | null;
  /** Subject of the event, such as the name of a key. Never a secret. */
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

/** The unused token of a mailed link, one per user and purpose. Used tokens are deleted. */
export interface OneTimeTokenTable {
  account_id: string;
  user_id: string;
  purpose: 'onboarding' | 'verify_email' | 'reset_password';
  token_hash: Buffer;
  expires_at: Instant;
}

/** An API key. Revoked keys are deleted. */
export interface ApiKeyTable {
  account_id: string;
  id: string;
  /** Member who created it. The member's role limits the key, which ends with the membership. */
  user_id: string;
  name: string;
  /** First characters of the key, by which its owner recognizes it. */
  prefix: string;
  /** SHA-256 of the key, unique over all accounts. */
  key_hash: Buffer;
  scopes: Scope[];
  created_at: Instant;
  expires_at: Instant | null;
  last_used_at: Instant | null;
}

/** A counted attempt at a rate-limited action, such as guessing a password. */
export interface AttemptTable {
  id: string;
  /** SHA-256 of the caller and the action. Attempts are counted per subject. */
  subject: Buffer;
  counts_until: Instant;
}

/** A visitor without an account who asked for a demo. */
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

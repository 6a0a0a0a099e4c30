import { randomUUID } from 'node:crypto';
import type { TokenPair } from '@winnow/contract/account';
import type { Role } from '@winnow/contract/role';
import { DAY_MS } from '../platform/clock.ts';
import { notFound, unauthorized } from '../platform/errors.ts';
import type { Events } from '../platform/events.ts';
import type { Log } from '../platform/log.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { AccountActivity } from './activity.ts';
import type { Client } from './client.ts';
import * as store from './session-store.ts';
import type { User } from './store.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  randomToken,
  readAccessToken,
  signAccessToken,
  successorToken,
  tokenHash,
} from './tokens.ts';

/** Idle time after which a session ends. */
const REFRESH_TOKEN_MS = 30 * DAY_MS;
/** Maximum lifetime of a session after its sign-in, however often it is used. */
const SESSION_MS = 90 * DAY_MS;
/**
 * Time for which a used refresh token still returns its successor, because a response may be lost
 * or another tab may use the same token.
 */
const REFRESH_GRACE_MS = 10_000;

/** A session and the latest time at which it ends. */
export type ListedSession = store.SessionRow & { ends_at: Date };

/** The user of a valid access token, in a workspace. */
export interface Authenticated extends AccessClaims {
  /** The workspace. */
  accountId: string;
  /** The user's own account. */
  homeId: string;
  role: Role | null;
  /** True if the workspace requires a second factor, and the user has none. */
  lacksFactor: boolean;
}

export interface SessionsOptions {
  db: Db;
  activity: AccountActivity;
  /** Keys derived from the installation's secret, 32 bytes each. */
  accessKey: Buffer;
  refreshKey: Buffer;
  now: () => Date;
  /** Called in the same transaction for every session that is revoked. */
  onRevoked: (transaction: Db, accountId: string, sessionId: string) => Promise<void>;
}

/**
 * Creates the sessions of an installation. Keys derive from its secret, and other processes are
 * notified of revocations.
 */
export function createSessions(installation: {
  db: Db;
  secrets: Secrets;
  events: Events<AccountEvent>;
  log: Log;
  now: () => Date;
}): Sessions {
  const { db, secrets, events, log, now } = installation;
  return new Sessions({
    db,
    activity: new AccountActivity({ log, now }),
    accessKey: secrets.derive('access-token'),
    refreshKey: secrets.derive('refresh-token'),
    now,
    onRevoked: (transaction, accountId, sessionId) =>
      events.publish(accountId, { type: 'session_revoked', session_id: sessionId }, { db: transaction }),
  });
}

/** Sessions of users and their tokens. */
export class Sessions {
  readonly #db: Db;
  readonly #activity: AccountActivity;
  readonly #accessKey: Buffer;
  readonly #refreshKey: Buffer;
  readonly #now: () => Date;
  readonly #onRevoked: SessionsOptions['onRevoked'];

  constructor(options: SessionsOptions) {
    this.#db = options.db;
    this.#activity = options.activity;
    this.#accessKey = options.accessKey;
    this.#refreshKey = options.refreshKey;
    this.#now = options.now;
    this.#onRevoked = options.onRevoked;
  }

  /** Begins a session of a user. */
  async open(
    transaction: Db,
    user: Pick<User, 'account_id' | 'id'>,
    { address, userAgent }: Pick<Client, 'address' | 'userAgent'>,
  ): Promise<TokenPair> {
    const sessionId = randomUUID();
    const refreshToken = randomToken();
    const now = this.#now();
    const session = {
      ...{ account_id: user.account_id, id: sessionId, user_id: user.id },
      ...{ created_at: now, last_used_at: now, address, user_agent: userAgent },
    };
    await store.insertSession(transaction, session, this.#stored(refreshToken, now));
    const claims = { userId: user.id, accountId: user.account_id, sessionId };
    return this.#tokenPair(claims, now, refreshToken);
  }

  /**
   * Exchanges a refresh token for a new pair. If the token was used more than ten seconds ago,
   * revokes its session, because a thief may have a copy.
   */
  async refresh(
    refreshToken: string,
    { address, userAgent }: Pick<Client, 'address' | 'userAgent'>,
  ): Promise<TokenPair> {
    const now = this.#now();
    const outcome = await this.#db.transaction().execute(async (transaction) => {
      const row = await store.lockRefreshToken(transaction, tokenHash(refreshToken));
      if (!row || row.revoked_at !== null || row.expires_at <= now) return null;
      if (endOf(row.session_created_at) <= now) return null;
      if (row.spent_at !== null && now.getTime() - row.spent_at.getTime() > REFRESH_GRACE_MS) {
        const client = { address, userAgent };
        await this.#activity.record(transaction, { userId: row.user_id, kind: 'token_reused', client });
        await this.#revoke(transaction, row.account_id, { id: row.session_id });
        return null;
      }
      const next = successorToken(this.#refreshKey, refreshToken);
      if (row.spent_at === null) {
        await store.spendRefreshToken(transaction, tokenHash(refreshToken), now);
        await store.insertRefreshToken(transaction, {
          ...{ account_id: row.account_id, session_id: row.session_id },
          ...this.#stored(next, row.session_created_at),
        });
        const use = { address, user_agent: userAgent, last_used_at: now };
        await store.noteSessionUse(transaction, { account_id: row.account_id, id: row.session_id }, use);
        await store.deleteExpiredRefreshTokens(transaction, now);
      }
      return { row, next };
    });
    if (!outcome) throw unauthorized('Your session has ended. Sign in again.');
    const { row, next } = outcome;
    const claims = { userId: row.user_id, accountId: row.account_id, sessionId: row.session_id };
    return this.#tokenPair(claims, row.session_created_at, next);
  }

  /** Lists the user's sessions, most recently used first. */
  async list(owner: { accountId: string; userId: string }): Promise<ListedSession[]> {
    const now = this.#now();
    const startedAfter = new Date(now.getTime() - SESSION_MS);
    const rows = await store.listOpenSessions(this.#db, owner, { startedAfter, now });
    return rows.map((row) => ({ ...row, ends_at: endOf(row.created_at) }));
  }

  /** Ends one session of the user. Throws 404 if the user has none with this id. */
  async end(
    { accountId, userId }: { accountId: string; userId: string },
    sessionId: string,
    client: Client,
  ): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await this.#activity.record(transaction, { userId, kind: 'session_ended', client });
      const ended = await this.#revoke(transaction, accountId, { id: sessionId, userId });
      if (ended === 0) throw notFound();
    });
  }

  /** Ends all sessions of the user except the current one. */
  async endOthers(
    { accountId, userId, sessionId }: { accountId: string; userId: string; sessionId: string },
    client: Client,
  ): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      const detail = 'All other sessions';
      await this.#activity.record(transaction, { userId, kind: 'session_ended', client, detail });
      await this.signOutEverywhere(transaction, accountId, userId, sessionId);
    });
  }

  /** Ends the session of a refresh token. An unknown token is not an error. */
  async signOut(refreshToken: string, client: Pick<Client, 'address' | 'userAgent'>): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      const row = await store.lockRefreshToken(transaction, tokenHash(refreshToken));
      if (!row || row.revoked_at !== null) return;
      await this.#activity.record(transaction, { userId: row.user_id, kind: 'signed_out', client });
      await this.#revoke(transaction, row.account_id, { id: row.session_id });
    });
  }

  /**
   * Ends every session of the user except `except`. Returns their number. Must be the last step of
   * a transaction.
   */
  async signOutEverywhere(
    transaction: Db,
    accountId: string,
    userId: string,
    except?: string,
  ): Promise<number> {
    return this.#revoke(transaction, accountId, { userId, except });
  }

  /** Deletes sessions past their lifetime, with the addresses they were used from. */
  removeEnded(): Promise<void> {
    return store.removeSessionsBefore(this.#db, new Date(this.#now().getTime() - SESSION_MS));
  }

  /**
   * Returns the claims of an access token, and the role of its user in a workspace. The role is
   * null if the user is not a member. A `workspaceId` of null chooses the user's own workspace.
   * Returns null if the token has expired or its session was revoked.
   */
  async authenticate(accessToken: string, workspaceId: string | null = null): Promise<Authenticated | null> {
    const claims = await readAccessToken(this.#accessKey, accessToken, this.#now());
    if (!claims) return null;
    const { accountId: homeId, sessionId } = claims;
    const accountId = workspaceId ?? homeId;
    const session = await store.findSessionIn(this.#db, { homeId, sessionId, accountId });
    return session === undefined ? null : { ...claims, ...session, homeId, accountId };
  }

  async #revoke(transaction: Db, accountId: string, which: store.SessionSelector): Promise<number> {
    const revoked = await store.revokeSessions(transaction, accountId, which, this.#now());
    // Revoke all rows before publishing. Other transactions lock a session before they take the
    // lock for publishing, so another order could deadlock.
    for (const sessionId of revoked) await this.#onRevoked(transaction, accountId, sessionId);
    return revoked.length;
  }

  /** Returns the stored fields of a refresh token. `startedAt` is when its session began. */
  #stored(token: string, startedAt: Date): { token_hash: Buffer; expires_at: Date } {
    const unused = this.#now().getTime() + REFRESH_TOKEN_MS;
    const expiresAt = new Date(Math.min(unused, endOf(startedAt).getTime()));
    return { token_hash: tokenHash(token), expires_at: expiresAt };
  }

  async #tokenPair(
    claims: Omit<AccessClaims, 'expiresAt'>,
    startedAt: Date,
    refreshToken: string,
  ): Promise<TokenPair> {
    const now = this.#now();
    const secondsLeft = Math.floor((endOf(startedAt).getTime() - now.getTime()) / 1000);
    const seconds = Math.min(ACCESS_TOKEN_SECONDS, secondsLeft);
    return {
      access_token: await signAccessToken(this.#accessKey, claims, now, seconds),
      refresh_token: refreshToken,
      token_type: 'bearer',
      expires_in: seconds,
    };
  }
}

function endOf(startedAt: Date): Date {
  return new Date(startedAt.getTime() + SESSION_MS);
}

import { randomUUID } from 'node:crypto';
import type { TokenPair } from '@winnow/contract/account';
import { unauthorized } from '../platform/errors.ts';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './store.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  randomToken,
  readAccessToken,
  signAccessToken,
  successorToken,
  tokenHash,
} from './tokens.ts';

const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60 * 1000;
/** How long a spent refresh token still answers with its successor: a lost answer, or two tabs at once. */
const REFRESH_GRACE_MS = 10_000;

export interface SessionsOptions {
  db: Db;
  /** Keys derived from the install's secret; 32 bytes each. */
  accessKey: Buffer;
  refreshKey: Buffer;
  now: () => Date;
  /** Told, in the same transaction, of every session that ends before its time. */
  onRevoked: (transaction: Db, accountId: string, sessionId: string) => Promise<void>;
}

/** The sessions of an installation: their keys come from its secret, and its other processes are told of those that end. */
export function sessionsOf(installation: {
  db: Db;
  secrets: Secrets;
  events: Events<AccountEvent>;
  now: () => Date;
}): Sessions {
  const { db, secrets, events, now } = installation;
  return new Sessions({
    db,
    accessKey: secrets.derive('access-token'),
    refreshKey: secrets.derive('refresh-token'),
    now,
    onRevoked: (transaction, accountId, sessionId) =>
      events.publish(accountId, { type: 'session_revoked', session_id: sessionId }, { db: transaction }),
  });
}

/** Who is signed in where, and the tokens that prove it. */
export class Sessions {
  readonly #db: Db;
  readonly #accessKey: Buffer;
  readonly #refreshKey: Buffer;
  readonly #now: () => Date;
  readonly #onRevoked: SessionsOptions['onRevoked'];

  constructor(options: SessionsOptions) {
    this.#db = options.db;
    this.#accessKey = options.accessKey;
    this.#refreshKey = options.refreshKey;
    this.#now = options.now;
    this.#onRevoked = options.onRevoked;
  }

  /** Begins a session of this user. */
  async open(transaction: Db, user: store.User): Promise<TokenPair> {
    const sessionId = randomUUID();
    const refreshToken = randomToken();
    await store.insertSession(transaction, {
      account_id: user.account_id,
      id: sessionId,
      user_id: user.id,
    });
    await this.#storeRefreshToken(transaction, user.account_id, sessionId, refreshToken);
    return this.#tokenPair({ userId: user.id, accountId: user.account_id, sessionId }, refreshToken);
  }

  /**
   * Trades a refresh token for a new pair. A token that was spent more than ten seconds ago revokes its session:
   * somebody else has it too.
   */
  async refresh(refreshToken: string): Promise<TokenPair> {
    const now = this.#now();
    const outcome = await this.#db.transaction().execute(async (transaction) => {
      const row = await store.lockRefreshToken(transaction, tokenHash(refreshToken));
      if (!row || row.revoked_at !== null || row.expires_at <= now) return null;
      if (row.spent_at !== null && now.getTime() - row.spent_at.getTime() > REFRESH_GRACE_MS) {
        await this.#revoke(transaction, row.account_id, { id: row.session_id });
        return null;
      }
      const next = successorToken(this.#refreshKey, refreshToken);
      if (row.spent_at === null) {
        await store.spendRefreshToken(transaction, tokenHash(refreshToken), now);
        await this.#storeRefreshToken(transaction, row.account_id, row.session_id, next);
        await store.deleteExpiredRefreshTokens(transaction, now);
      }
      return { row, next };
    });
    if (!outcome) throw unauthorized('Your session has ended. Sign in again.');
    const { row, next } = outcome;
    return this.#tokenPair(
      { userId: row.user_id, accountId: row.account_id, sessionId: row.session_id },
      next,
    );
  }

  /** Ends the session this refresh token belongs to; a token nobody knows is no error. */
  async signOut(refreshToken: string): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      const row = await store.lockRefreshToken(transaction, tokenHash(refreshToken));
      if (row) await this.#revoke(transaction, row.account_id, { id: row.session_id });
    });
  }

  /** Ends every session of the user, but for the one that is to stay. The last thing to do in a transaction. */
  async signOutEverywhere(
    transaction: Db,
    accountId: string,
    userId: string,
    staying?: string,
  ): Promise<void> {
    await this.#revoke(transaction, accountId, { userId, staying });
  }

  /** Who an access token speaks for; null when it is not valid any more or its session was revoked. */
  async authenticate(accessToken: string): Promise<AccessClaims | null> {
    const claims = await readAccessToken(this.#accessKey, accessToken, this.#now());
    if (!claims) return null;
    const open = await store.isSessionOpen(this.#db, claims.accountId, claims.sessionId);
    return open ? claims : null;
  }

  async #revoke(transaction: Db, accountId: string, which: store.WhichSessions): Promise<void> {
    const revoked = await store.revokeSessions(transaction, accountId, which, this.#now());
    // All rows before the first is told of: telling holds a lock that others take after their session's.
    for (const sessionId of revoked) await this.#onRevoked(transaction, accountId, sessionId);
  }

  async #storeRefreshToken(db: Db, accountId: string, sessionId: string, token: string): Promise<void> {
    await store.insertRefreshToken(db, {
      token_hash: tokenHash(token),
      account_id: accountId,
      session_id: sessionId,
      expires_at: new Date(this.#now().getTime() + REFRESH_TOKEN_MS),
    });
  }

  async #tokenPair(claims: Omit<AccessClaims, 'expiresAt'>, refreshToken: string): Promise<TokenPair> {
    return {
      access_token: await signAccessToken(this.#accessKey, claims, this.#now()),
      refresh_token: refreshToken,
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
    };
  }
}

import { randomUUID } from 'node:crypto';
import type { LoginRequest, RegisterRequest, TokenPair } from '@winnow/contract/account';
import { type AppError, badRequest, conflict, notFound, unauthorized } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import { countAttempt, forgiveFailures } from './login-limit.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
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

const DAY_MS = 24 * 60 * 60 * 1000;
const REFRESH_TOKEN_MS = 30 * DAY_MS;
/** How long a spent refresh token still answers with its successor: a lost answer, or two tabs at once. */
const REFRESH_GRACE_MS = 10_000;
const ONBOARDING_TOKEN_MS = 7 * DAY_MS;

export interface AccountsOptions {
  db: Db;
  /** Keys derived from the install's secret; 32 bytes each. */
  accessKey: Buffer;
  refreshKey: Buffer;
  now: () => Date;
  /** Told, in the same transaction, of every session that ends before its time. */
  onSessionRevoked?: (transaction: Db, accountId: string, sessionId: string) => Promise<void>;
}

/** Users, their sessions and how they prove who they are. */
export class Accounts {
  readonly #db: Db;
  readonly #accessKey: Buffer;
  readonly #refreshKey: Buffer;
  readonly #now: () => Date;
  readonly #onSessionRevoked: AccountsOptions['onSessionRevoked'];

  constructor(options: AccountsOptions) {
    this.#db = options.db;
    this.#accessKey = options.accessKey;
    this.#refreshKey = options.refreshKey;
    this.#now = options.now;
    this.#onSessionRevoked = options.onSessionRevoked;
  }

  /** Makes an account with one user. 409 with the field when the username or e-mail address is taken. */
  async register(request: RegisterRequest): Promise<store.User> {
    const passwordHash = await hashPassword(request.password);
    return this.#insertUser({
      username: request.username,
      email: request.email,
      password_hash: passwordHash,
      state: 'active',
    });
  }

  /**
   * Makes an account that waits for its owner, and the one-time token with which the owner sets a password within
   * seven days. 409 when the e-mail address is taken.
   */
  async invite(email: string): Promise<{ user: store.User; token: string }> {
    const user = await this.#insertUser({
      username: `pending-${randomUUID()}`,
      email,
      password_hash: null,
      state: 'pending',
    });
    const token = randomToken();
    await store.insertOneTimeToken(this.#db, {
      token_hash: tokenHash(token),
      account_id: user.account_id,
      user_id: user.id,
      purpose: 'onboarding',
      expires_at: new Date(this.#now().getTime() + ONBOARDING_TOKEN_MS),
    });
    return { user, token };
  }

  /** Sets name and password of an invited user and signs in. 400 for any link that is not that user's open one. */
  async completeOnboarding(request: {
    email: string;
    username: string;
    password: string;
    token: string;
  }): Promise<TokenPair> {
    const passwordHash = await hashPassword(request.password);
    const invalidLink = () => badRequest('Invalid or expired onboarding link.', 'invalid_onboarding_link');
    return this.#db.transaction().execute(async (transaction) => {
      const owner = await store.useOneTimeToken(
        transaction,
        tokenHash(request.token),
        'onboarding',
        this.#now(),
      );
      if (!owner) throw invalidLink();
      const invited = await store.findUser(transaction, owner.account_id, owner.user_id);
      if (invited?.email.toLowerCase() !== request.email.toLowerCase()) throw invalidLink();
      const user = await store
        .activateUser(transaction, owner.account_id, owner.user_id, {
          username: request.username,
          password_hash: passwordHash,
          now: this.#now(),
        })
        .catch((error: unknown) => {
          throw takenName(error) ?? error;
        });
      if (!user) throw invalidLink();
      return this.#openSession(transaction, user);
    });
  }

  /**
   * Signs in with username or e-mail address. 401 for a wrong name or password (in the same time for both), 429 after
   * ten failures in 15 minutes for one user, however named, from one address; a name that nobody has counts likewise.
   */
  async signIn(request: LoginRequest, remoteAddress: string): Promise<TokenPair> {
    // Looked up before the attempt is counted, so that a name which nobody has takes as long.
    const user = await store.findUserByLogin(this.#db, request.username);
    const attempt = { userId: user?.id ?? null, name: request.username, remoteAddress };
    const counted = await countAttempt(this.#db, attempt, this.#now());
    const matches = await passwordMatches(user?.password_hash ?? null, request.password);
    if (!user || !matches || user.state !== 'active') throw unauthorized('Invalid username or password');
    await forgiveFailures(this.#db, counted);
    return this.#openSession(this.#db, user);
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
        await this.#revokeSession(transaction, row.account_id, row.session_id);
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
      if (row) await this.#revokeSession(transaction, row.account_id, row.session_id);
    });
  }

  /** Who an access token speaks for; null when it is not valid any more or its session was revoked. */
  async authenticate(accessToken: string): Promise<AccessClaims | null> {
    const claims = await readAccessToken(this.#accessKey, accessToken, this.#now());
    if (!claims) return null;
    const open = await store.isSessionOpen(this.#db, claims.accountId, claims.sessionId);
    return open ? claims : null;
  }

  /** The user of this account; 404 when there is none. */
  async user(accountId: string, userId: string): Promise<store.User> {
    const user = await store.findUser(this.#db, accountId, userId);
    if (!user) throw notFound();
    return user;
  }

  /** Gives a user another full name; an empty one is none. */
  async rename(accountId: string, userId: string, fullName: string | null): Promise<store.User> {
    const user = await store.updateFullName(this.#db, accountId, userId, fullName || null);
    if (!user) throw notFound();
    return user;
  }

  async #insertUser(
    values: Pick<store.User, 'username' | 'email' | 'password_hash' | 'state'>,
  ): Promise<store.User> {
    try {
      return await this.#db
        .transaction()
        .execute((transaction) =>
          store.insertUser(transaction, { account_id: randomUUID(), id: randomUUID(), ...values }),
        );
    } catch (error) {
      throw takenName(error) ?? error;
    }
  }

  async #openSession(db: Db, user: store.User): Promise<TokenPair> {
    const sessionId = randomUUID();
    const refreshToken = randomToken();
    await store.insertSession(db, { account_id: user.account_id, id: sessionId, user_id: user.id });
    await this.#storeRefreshToken(db, user.account_id, sessionId, refreshToken);
    return this.#tokenPair({ userId: user.id, accountId: user.account_id, sessionId }, refreshToken);
  }

  async #revokeSession(transaction: Db, accountId: string, sessionId: string): Promise<void> {
    const wasOpen = await store.revokeSession(transaction, accountId, sessionId, this.#now());
    if (wasOpen) await this.#onSessionRevoked?.(transaction, accountId, sessionId);
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

/** The 409 for a taken username or e-mail address; null for any other error. */
function takenName(error: unknown): AppError | null {
  if (violates(error, 'app_user_username')) {
    const message = 'This username is taken.';
    return conflict('username_taken', message, [{ path: 'username', message }]);
  }
  if (violates(error, 'app_user_email')) {
    const message = 'This e-mail address already has an account.';
    return conflict('email_taken', message, [{ path: 'email', message }]);
  }
  return null;
}

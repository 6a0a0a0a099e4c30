import { sql } from 'kysely';
import type { OneTimeTokenTable } from '../schema/account-tables.ts';
import type { Db } from '../schema/tables.ts';

/** What the link of a mail is for. */
export type LinkPurpose = OneTimeTokenTable['purpose'];

export interface User {
  account_id: string;
  id: string;
  username: string;
  email: string;
  full_name: string | null;
  password_hash: string | null;
  state: 'active' | 'pending';
  email_verified_at: Date | null;
  created_at: Date;
}

/** Makes an account with its one user, both or neither. A taken name or e-mail address is a unique violation. */
export async function insertUser(
  db: Db,
  user: Omit<User, 'email_verified_at' | 'created_at' | 'full_name'>,
): Promise<User> {
  await db.insertInto('account').values({ id: user.account_id }).execute();
  return db.insertInto('app_user').values(user).returningAll().executeTakeFirstOrThrow();
}

/** The user who signs in with this username or e-mail address, in any letter case. */
export async function findUserByLogin(db: Db, login: string): Promise<User | undefined> {
  return db
    .selectFrom('app_user')
    .selectAll()
    .where((where) =>
      where.or([
        where(sql`lower(username)`, '=', login.toLowerCase()),
        where(sql`lower(email)`, '=', login.toLowerCase()),
      ]),
    )
    .executeTakeFirst();
}

/** The user whose e-mail address this is, in any letter case. */
export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom('app_user')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

/** The user of an account. */
export async function findOwner(db: Db, accountId: string): Promise<User | undefined> {
  return db.selectFrom('app_user').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export async function findUser(db: Db, accountId: string, userId: string): Promise<User | undefined> {
  return db
    .selectFrom('app_user')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .executeTakeFirst();
}

export async function updateFullName(
  db: Db,
  accountId: string,
  userId: string,
  fullName: string | null,
): Promise<User | undefined> {
  return db
    .updateTable('app_user')
    .set({ full_name: fullName })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Gives a pending user a name and a password; undefined when the user is not pending any more. */
export async function activateUser(
  db: Db,
  accountId: string,
  userId: string,
  values: { username: string; password_hash: string; now: Date },
): Promise<User | undefined> {
  return db
    .updateTable('app_user')
    .set({
      username: values.username,
      password_hash: values.password_hash,
      state: 'active',
      email_verified_at: values.now,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
}

/**
 * Whether the user's password is still the one that was hashed so; if it is, it stays so until the transaction ends.
 */
export async function holdPassword(
  db: Db,
  { account_id, id, password_hash }: Pick<User, 'account_id' | 'id' | 'password_hash'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('app_user')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives a user another password; undefined when there is no such user. */
export async function updatePassword(
  db: Db,
  accountId: string,
  userId: string,
  passwordHash: string,
): Promise<User | undefined> {
  return db
    .updateTable('app_user')
    .set({ password_hash: passwordHash })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Notes that the user reads the mail of their address; the first time counts. */
export async function markEmailVerified(db: Db, accountId: string, userId: string, now: Date): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ email_verified_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .execute();
}

export async function insertSession(
  db: Db,
  session: { account_id: string; id: string; user_id: string },
): Promise<void> {
  await db.insertInto('session').values(session).execute();
}

/** Whether the session still stands: neither revoked nor gone with its user. */
export async function isSessionOpen(db: Db, accountId: string, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** One session, or all of a user but for the one that stays. */
export type WhichSessions = { id: string } | { userId: string; staying?: string | undefined };

/** Ends sessions; answers those that had not ended yet. */
export async function revokeSessions(
  db: Db,
  accountId: string,
  which: WhichSessions,
  now: Date,
): Promise<string[]> {
  const ofAccount = db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .returning('id');
  const chosen =
    'id' in which
      ? ofAccount.where('id', '=', which.id)
      : ofAccount
          .where('user_id', '=', which.userId)
          .$if(which.staying !== undefined, (query) => query.where('id', '<>', which.staying ?? ''));
  return (await chosen.execute()).map(({ id }) => id);
}

export async function insertRefreshToken(
  db: Db,
  token: { token_hash: Buffer; account_id: string; session_id: string; expires_at: Date },
): Promise<void> {
  await db
    .insertInto('refresh_token')
    .values(token)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
}

export interface RefreshTokenRow {
  account_id: string;
  session_id: string;
  expires_at: Date;
  spent_at: Date | null;
  user_id: string;
  revoked_at: Date | null;
}

/**
 * The refresh token with the session it belongs to, both locked for this transaction: the session first, as whoever
 * removes one does, so that neither waits for the other in a circle.
 */
export async function lockRefreshToken(db: Db, tokenHash: Buffer): Promise<RefreshTokenRow | undefined> {
  const session = await db
    .selectFrom('session')
    .select(['user_id', 'revoked_at'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('refresh_token as token')
          .select('token.session_id')
          .whereRef('token.account_id', '=', 'session.account_id')
          .whereRef('token.session_id', '=', 'session.id')
          .where('token.token_hash', '=', tokenHash),
      ),
    )
    .forUpdate()
    .executeTakeFirst();
  if (session === undefined) return undefined;
  const token = await db
    .selectFrom('refresh_token')
    .select(['account_id', 'session_id', 'expires_at', 'spent_at'])
    .where('token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst();
  return token && { ...token, ...session };
}

export async function spendRefreshToken(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('refresh_token').set({ spent_at: now }).where('token_hash', '=', tokenHash).execute();
}

/** Forgets refresh tokens that nobody can use any more. */
export async function deleteExpiredRefreshTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('refresh_token').where('expires_at', '<', now).execute();
}

/** Makes this the user's one open token for its purpose. */
export async function replaceOneTimeToken(
  db: Db,
  token: {
    account_id: string;
    user_id: string;
    purpose: LinkPurpose;
    token_hash: Buffer;
    expires_at: Date;
  },
): Promise<void> {
  const { token_hash, expires_at } = token;
  await db
    .insertInto('one_time_token')
    .values(token)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'user_id', 'purpose']).doUpdateSet({ token_hash, expires_at }),
    )
    .execute();
}

/** Uses a one-time token up; undefined when it is unknown, spent, expired or for something else. */
export async function useOneTimeToken(
  db: Db,
  tokenHash: Buffer,
  purpose: LinkPurpose,
  now: Date,
): Promise<{ account_id: string; user_id: string } | undefined> {
  return db
    .deleteFrom('one_time_token')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(['account_id', 'user_id'])
    .executeTakeFirst();
}

/** Forgets the user's open token for this purpose, if there is one. */
export async function deleteOneTimeToken(
  db: Db,
  accountId: string,
  userId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await db
    .deleteFrom('one_time_token')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}

import { sql } from 'kysely';
import type { Db, OneTimeTokenTable } from '../schema/tables.ts';

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

/** Ends the session; whether it had not ended yet. */
export async function revokeSession(
  db: Db,
  accountId: string,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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

/** The refresh token with the session it belongs to, locked for this transaction. */
export async function lockRefreshToken(db: Db, tokenHash: Buffer): Promise<RefreshTokenRow | undefined> {
  return db
    .selectFrom('refresh_token as token')
    .innerJoin('session', (join) =>
      join.onRef('session.account_id', '=', 'token.account_id').onRef('session.id', '=', 'token.session_id'),
    )
    .select([
      'token.account_id',
      'token.session_id',
      'token.expires_at',
      'token.spent_at',
      'session.user_id',
      'session.revoked_at',
    ])
    .where('token.token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst();
}

export async function spendRefreshToken(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await db.updateTable('refresh_token').set({ spent_at: now }).where('token_hash', '=', tokenHash).execute();
}

/** Forgets refresh tokens that nobody can use any more. */
export async function deleteExpiredRefreshTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('refresh_token').where('expires_at', '<', now).execute();
}

export async function insertOneTimeToken(
  db: Db,
  token: {
    token_hash: Buffer;
    account_id: string;
    user_id: string;
    purpose: OneTimeTokenTable['purpose'];
    expires_at: Date;
  },
): Promise<void> {
  await db.insertInto('one_time_token').values(token).execute();
}

/** Uses a one-time token up; undefined when it is unknown, spent, expired or for something else. */
export async function useOneTimeToken(
  db: Db,
  tokenHash: Buffer,
  purpose: OneTimeTokenTable['purpose'],
  now: Date,
): Promise<{ account_id: string; user_id: string } | undefined> {
  return db
    .updateTable('one_time_token')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['account_id', 'user_id'])
    .executeTakeFirst();
}

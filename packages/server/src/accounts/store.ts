import { sql } from 'kysely';
import type { OneTimeTokenTable } from '../schema/account-tables.ts';
import type { Db } from '../schema/tables.ts';
import { type AttemptSelector, attemptDeletion } from './attempt-store.ts';
import { type DeviceTraits, isTrustedDevice } from './device-store.ts';

/** Id that matches no user. */
export const NO_USER = '00000000-0000-0000-0000-000000000000';

/** Purpose of a mailed link. */
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
  last_sign_in_at: Date | null;
  owner_confirmed_at: Date | null;
  email_taken: boolean;
}

/** A user to insert. */
export type NewUser = Pick<User, 'account_id' | 'id' | 'username' | 'email' | 'password_hash' | 'state'> &
  Partial<Pick<User, 'email_taken'>>;

/**
 * Creates a user with an own account, which is their personal workspace. Throws a unique violation
 * for a taken username or email address.
 */
export async function insertUser(db: Db, user: NewUser): Promise<User> {
  await db.insertInto('account').values({ id: user.account_id }).execute();
  const inserted = await db.insertInto('app_user').values(user).returningAll().executeTakeFirstOrThrow();
  const owner = { account_id: user.account_id, user_id: user.id, role: 'owner' } as const;
  await db.insertInto('member').values(owner).execute();
  return inserted;
}

/**
 * Finds the user by username or email address, ignoring case. With `requiresConfirmedEmail`, users
 * are not found by an unconfirmed address. `isTrusted` is true if the user has this device or
 * signed in from this IP address.
 */
export async function findUserByLogin(
  db: Db,
  login: string,
  {
    device,
    requiresConfirmedEmail,
  }: { device: Pick<DeviceTraits, 'tokenHash' | 'address'>; requiresConfirmedEmail: boolean },
): Promise<(User & { isTrusted: boolean }) | undefined> {
  return db
    .selectFrom('app_user')
    .selectAll('app_user')
    .select(isTrustedDevice(device).as('isTrusted'))
    .where((where) =>
      where.or([
        where(sql`lower(username)`, '=', login.toLowerCase()),
        where.and([
          where(sql`lower(email)`, '=', login.toLowerCase()),
          where('email_taken', '=', false),
          ...(requiresConfirmedEmail ? [where('email_verified_at', 'is not', null)] : []),
        ]),
      ]),
    )
    .executeTakeFirst();
}

/** Finds the user with this username, ignoring case. */
export async function findUserByUsername(db: Db, username: string): Promise<User | undefined> {
  return db
    .selectFrom('app_user')
    .selectAll()
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst();
}

/** Finds the user with this email address, ignoring case. */
export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db
    .selectFrom('app_user')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('email_taken', '=', false)
    .executeTakeFirst();
}

/**
 * Gives the user an address that was taken at registration, so that it can be confirmed. Throws a
 * unique violation if it is still taken.
 */
export async function claimEmail(db: Db, { account_id, id }: Pick<User, 'account_id' | 'id'>): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ email_taken: false })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Lists the owners of a workspace, earliest joined first. */
export async function listOwners(db: Db, accountId: string): Promise<User[]> {
  return db
    .selectFrom('member')
    .innerJoin('app_user', 'app_user.id', 'member.user_id')
    .selectAll('app_user')
    .where('member.account_id', '=', accountId)
    .where('member.role', '=', 'owner')
    .orderBy('member.joined_at')
    .orderBy('member.user_id')
    .execute();
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

/** Sets name and password of a pending user; undefined if the user is not pending. */
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
      owner_confirmed_at: values.now,
      last_sign_in_at: values.now,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('state', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
}

/** True if the user's password hash is unchanged. Locks it until the transaction ends. */
export async function lockUnchangedPassword(
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

/** Changes the password hash of a user; undefined if the user does not exist. */
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

/**
 * Stores a sign-in with the password, and deletes its failed attempts. Returns false if the
 * password hash has changed; the transaction must then end in an error. Otherwise locks the hash
 * until the transaction ends.
 */
export async function noteSignIn(
  db: Db,
  { account_id, id, password_hash }: Pick<User, 'account_id' | 'id' | 'password_hash'>,
  attempts: AttemptSelector,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .with('forgiven', (query) => attemptDeletion(query, attempts))
    .updateTable('app_user')
    .set({ last_sign_in_at: now })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Stores that the user reads the mail of their address and, with `ownerConfirmed`, owns the
 * account. Times that are already stored stay unchanged.
 */
export async function markEmailVerified(
  db: Db,
  { account_id, id }: Pick<User, 'account_id' | 'id'>,
  { now, ownerConfirmed }: { now: Date; ownerConfirmed: boolean },
): Promise<void> {
  const first = (column: 'email_verified_at' | 'owner_confirmed_at') =>
    sql<Date>`coalesce(${sql.ref(column)}, ${now}::timestamptz)`;
  await db
    .updateTable('app_user')
    .set({
      email_verified_at: first('email_verified_at'),
      ...(ownerConfirmed ? { owner_confirmed_at: first('owner_confirmed_at') } : {}),
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Stores a one-time token. It replaces the user's previous token for the same purpose. */
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

/** Finds the user of an open one-time token. */
export async function findOneTimeToken(
  db: Db,
  tokenHash: Buffer,
  purpose: LinkPurpose,
  now: Date,
): Promise<{ account_id: string; user_id: string } | undefined> {
  return db
    .selectFrom('one_time_token')
    .select(['account_id', 'user_id'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/**
 * Marks a one-time token as used and returns its user. Returns undefined if the token is unknown,
 * used, expired or for another purpose.
 */
export async function consumeOneTimeToken(
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

/** Deletes the user's open token for this purpose. */
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

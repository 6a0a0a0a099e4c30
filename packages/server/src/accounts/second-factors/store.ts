import type { AuthenticatorTable } from '../../schema/account-tables.ts';
import type { Db } from '../../schema/tables.ts';
import { deleteAllPasskeys } from '../passkeys/store.ts';
import type { User } from '../store.ts';

type Owner = Pick<User, 'account_id' | 'id'>;

/** A user's authenticator app. */
export type Authenticator = Pick<AuthenticatorTable, 'id' | 'sealed_secret' | 'last_step'> & {
  /** Null until the first code was entered. */
  added_at: Date | null;
};

/** Finds the user's authenticator app, added or not, and locks it until the transaction ends. */
export function lockAuthenticator(
  transaction: Db,
  { account_id, id }: Owner,
): Promise<Authenticator | undefined> {
  return transaction
    .selectFrom('authenticator')
    .select(['id', 'sealed_secret', 'added_at', 'last_step'])
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores a secret until its first code is entered. It replaces a secret that was not added. */
export async function insertAuthenticator(
  transaction: Db,
  { account_id, id }: Owner,
  secret: Pick<AuthenticatorTable, 'id' | 'sealed_secret'>,
): Promise<void> {
  await transaction
    .deleteFrom('authenticator')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .where('added_at', 'is', null)
    .execute();
  await transaction
    .insertInto('authenticator')
    .values({ account_id, user_id: id, ...secret })
    .execute();
}

/** Stores the time step of a used code, so that no code up to it is accepted again. */
export async function noteCodeUse(
  transaction: Db,
  { account_id }: Owner,
  use: { id: string; lastStep: number; addedAt?: Date },
): Promise<void> {
  await transaction
    .updateTable('authenticator')
    .set({ last_step: use.lastStep, ...(use.addedAt === undefined ? {} : { added_at: use.addedAt }) })
    .where('account_id', '=', account_id)
    .where('id', '=', use.id)
    .execute();
}

/** Deletes the user's authenticator app, added or not. Returns true if one was added. */
export async function deleteAuthenticator(transaction: Db, { account_id, id }: Owner): Promise<boolean> {
  const deleted = await transaction
    .deleteFrom('authenticator')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .returning('added_at')
    .execute();
  return deleted.some(({ added_at }) => added_at !== null);
}

export async function deleteRecoveryCodes(transaction: Db, { account_id, id }: Owner): Promise<void> {
  await transaction
    .deleteFrom('recovery_code')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .execute();
}

/** Deletes all second factors of the user. Returns true if there was one. */
export async function deleteFactors(transaction: Db, user: Owner): Promise<boolean> {
  const hadApp = await deleteAuthenticator(transaction, user);
  const passkeys = await deleteAllPasskeys(transaction, user);
  await deleteRecoveryCodes(transaction, user);
  return hadApp || passkeys > 0;
}

/** True if the user opened a session at this address with this browser since a time. */
export async function hasSignedInSince(
  db: Db,
  { account_id, id }: Owner,
  { address, userAgent, since }: { address: string; userAgent: string | null; since: Date },
): Promise<boolean> {
  const session = await db
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .where('created_at', '>=', since)
    .where('address', '=', address)
    .where('user_agent', 'is not distinct from', userAgent)
    .executeTakeFirst();
  return session !== undefined;
}

/** Replaces the user's recovery codes by these. */
export async function replaceRecoveryCodes(
  transaction: Db,
  user: Owner,
  hashes: readonly Buffer[],
): Promise<void> {
  const { account_id, id } = user;
  await deleteRecoveryCodes(transaction, user);
  await transaction
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ account_id, user_id: id, code_hash })))
    .execute();
}

/** Deletes a recovery code. Returns false if the user has no such code. */
export async function useRecoveryCode(
  transaction: Db,
  { account_id, id }: Owner,
  hash: Buffer,
): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('recovery_code')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Reads when the user's app was added (null without one), and how many recovery codes are left. */
export async function readFactors(
  db: Db,
  { account_id, id }: Owner,
): Promise<{ addedAt: Date | null; codesLeft: number }> {
  const app = await db
    .selectFrom('authenticator')
    .select('added_at')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .executeTakeFirst();
  const { left } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  return { addedAt: app?.added_at ?? null, codesLeft: left };
}

/** Replaces the sealed secret of a user's authenticator app. */
export async function updateSealedSecret(
  transaction: Db,
  { account_id, id }: Owner,
  sealed_secret: Buffer,
): Promise<void> {
  await transaction
    .updateTable('authenticator')
    .set({ sealed_secret })
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .execute();
}

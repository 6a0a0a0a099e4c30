import type { Insertable, Selectable } from 'kysely';
import type { PasskeyTable } from '../../schema/account-tables.ts';
import type { Db } from '../../schema/tables.ts';
import type { User } from '../store.ts';

type Owner = Pick<User, 'account_id' | 'id'>;
export type PasskeyRow = Selectable<PasskeyTable>;

/** Lists the passkeys of a user, oldest first. */
export function listPasskeys(db: Db, { account_id, id }: Owner): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkey')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Finds a passkey of any account by the id that its device gave to it. */
export function findPasskey(db: Db, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** Stores a passkey. Returns false if the credential id exists, in any account. */
export async function insertPasskey(db: Db, passkey: Insertable<PasskeyTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('passkey')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/**
 * Stores the use of a passkey. Returns false if its counter did not increase, although the device
 * counts. Then two devices have the same key.
 */
export async function notePasskeyUse(
  db: Db,
  { account_id, id }: Pick<PasskeyRow, 'account_id' | 'id'>,
  use: { signCount: number; synced: boolean; at: Date; withPassword: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({
      sign_count: use.signCount,
      synced: use.synced,
      last_used_at: use.at,
      ...(use.withPassword ? { password_required: false } : {}),
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('sign_count', '<', use.signCount),
        where.and([where('sign_count', '=', 0), where.val(use.signCount === 0)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Renames a user's passkey. Returns the previous name; undefined if the passkey was not found. */
export async function renamePasskey(
  db: Db,
  { account_id, id }: Owner,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('passkey')
    .select('name')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .where('id', '=', passkeyId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await db
    .updateTable('passkey')
    .set({ name })
    .where('account_id', '=', account_id)
    .where('id', '=', passkeyId)
    .execute();
  return row.name;
}

/** Deletes a user's passkey. Returns its name; undefined if the passkey was not found. */
export async function deletePasskey(
  db: Db,
  { account_id, id }: Owner,
  passkeyId: string,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkey')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .where('id', '=', passkeyId)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Deletes all passkeys of a user. Returns their number. */
export async function deleteAllPasskeys(db: Db, { account_id, id }: Owner): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey')
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Makes each passkey of a user need the password once. */
export async function requirePasswordOnce(db: Db, { account_id, id }: Owner): Promise<void> {
  await db
    .updateTable('passkey')
    .set({ password_required: true })
    .where('account_id', '=', account_id)
    .where('user_id', '=', id)
    .execute();
}

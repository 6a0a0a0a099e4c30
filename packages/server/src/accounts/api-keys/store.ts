import type { Role } from '@winnow/contract/role';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { ApiKeyTable } from '../../schema/account-tables.ts';
import type { Db } from '../../schema/tables.ts';

export type ApiKeyRow = Selectable<ApiKeyTable>;

/** Lists the keys of an account, newest first. */
export async function listKeys(db: Db, accountId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Locks the creation of keys for the account until the transaction ends. */
export async function lockKeys(db: Db, accountId: string): Promise<void> {
  await db.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

export async function countKeys(db: Db, accountId: string): Promise<number> {
  const { keys } = await db
    .selectFrom('api_key')
    .select((select) => select.fn.countAll<number>().as('keys'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return keys;
}

export async function insertKey(db: Db, key: Insertable<ApiKeyTable>): Promise<ApiKeyRow> {
  return db.insertInto('api_key').values(key).returningAll().executeTakeFirstOrThrow();
}

/** Deletes every key of the account and returns their names. */
export async function deleteAllKeys(db: Db, accountId: string): Promise<string[]> {
  const keys = await db.deleteFrom('api_key').where('account_id', '=', accountId).returning('name').execute();
  return keys.map(({ name }) => name).sort();
}

/** Deletes every key of a user, in all workspaces, and returns their names. */
export async function deleteKeysOf(db: Db, userId: string): Promise<string[]> {
  const keys = await db.deleteFrom('api_key').where('user_id', '=', userId).returning('name').execute();
  return keys.map(({ name }) => name).sort();
}

/** Deletes a key and returns its name; undefined if the account has no such key. */
export async function deleteKey(db: Db, accountId: string, keyId: string): Promise<string | undefined> {
  const key = await db
    .deleteFrom('api_key')
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .returning('name')
    .executeTakeFirst();
  return key?.name;
}

export async function findKey(db: Db, accountId: string, keyId: string): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .executeTakeFirst();
}

/** Finds a key by its hash, in any workspace, with the role of its owner there. */
export async function findKeyByHash(
  db: Db,
  keyHash: Buffer,
): Promise<(ApiKeyRow & { role: Role }) | undefined> {
  return db
    .selectFrom('api_key')
    .innerJoin('member', (join) =>
      join
        .onRef('member.account_id', '=', 'api_key.account_id')
        .onRef('member.user_id', '=', 'api_key.user_id'),
    )
    .selectAll('api_key')
    .select('member.role')
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
}

/** Last use of a key. */
export interface KeyUse {
  accountId: string;
  keyId: string;
  lastUsedAt: Date;
}

/** Stores when keys were last used. Deleted keys are skipped. */
export async function noteUses(db: Db, uses: KeyUse[]): Promise<void> {
  await sql`
    update api_key
    set last_used_at = greatest(api_key.last_used_at, used.last_used_at)
    from unnest(
      ${uses.map((use) => use.accountId)}::uuid[],
      ${uses.map((use) => use.keyId)}::uuid[],
      ${uses.map((use) => use.lastUsedAt)}::timestamptz[]
    ) as used (account_id, id, last_used_at)
    where api_key.account_id = used.account_id and api_key.id = used.id
  `.execute(db);
}

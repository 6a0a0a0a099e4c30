import { sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import type { Db, Tables } from '../../schema/tables.ts';
import { deleteAllKeys } from '../api-keys/store.ts';

/** Marks an account as locked and removes its credentials. Returns the ids of its users. */
export async function lockAccount(db: Db, accountId: string, now: Date): Promise<string[]> {
  await db
    .updateTable('account')
    .set({ leaving_at: now })
    .where('id', '=', accountId)
    .where('leaving_at', 'is', null)
    .execute();
  await deleteAllKeys(db, accountId);
  await db.deleteFrom('one_time_token').where('account_id', '=', accountId).execute();
  const users = await db
    .updateTable('app_user')
    .set({ password_hash: null })
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  return users.map(({ id }) => id);
}

/** True if an account is locked and will be deleted. */
export async function isBeingDeleted(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('leaving_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists the ids of accounts that are locked but not deleted yet. */
export async function listAccountsToDelete(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('account').select('id').where('leaving_at', 'is not', null).execute();
  return rows.map(({ id }) => id);
}

/** Returns an account's customer and subscription at Stripe; undefined if it has none. */
export async function findPayer(
  db: Db,
  accountId: string,
): Promise<{ customer_id: string; subscription_id: string | null } | undefined> {
  return db
    .selectFrom('subscription')
    .select(['customer_id', 'subscription_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/**
 * Largest tables of an account. Their rows are deleted in batches before the rest is deleted in one
 * transaction. Rows that refer to them are deleted too.
 */
const LARGE_TABLES = [
  'pair',
  'issue_vector',
  'search_document',
  'dependency_reading',
  'comment',
  'issue',
  'tracker_event',
  'flow_log',
  'ai_call',
  'api_usage',
] as const satisfies readonly (keyof Tables)[];

/** Deletes an account's rows of the largest tables. Safe to abort and repeat. */
export async function deleteLargeTables(db: Db, accountId: string, signal: AbortSignal): Promise<void> {
  for (const table of LARGE_TABLES) {
    signal.throwIfAborted();
    await deleteInBatches(db, table, sql<boolean>`account_id = ${accountId}`);
  }
}

/** Deletes an account and everything that refers to it. Returns the addresses to notify. */
export async function deleteAccount(db: Db, accountId: string): Promise<string[]> {
  const users = await db
    .selectFrom('app_user')
    .select('email')
    .where('account_id', '=', accountId)
    .where('email_taken', '=', false)
    .execute();
  await db.deleteFrom('account').where('id', '=', accountId).execute();
  return users.map(({ email }) => email);
}

/**
 * Tables without a foreign key to the account. Their rows outlive it and are deleted separately.
 */
const TABLES_WITHOUT_FOREIGN_KEY = ['event_sequence', 'search_stale', 'dependency_stale', 'cluster_stale'];

/** Deletes rows of deleted accounts in the tables without a foreign key. */
export async function deleteOrphanedRows(db: Db): Promise<void> {
  for (const table of TABLES_WITHOUT_FOREIGN_KEY) {
    await sql`
      delete from ${sql.table(table)} as remains
      where not exists (select from account where account.id = remains.account_id)
    `.execute(db);
  }
}

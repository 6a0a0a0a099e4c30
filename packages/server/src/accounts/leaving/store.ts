import { sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import { deleteAllKeys } from '../api-keys/store.ts';

/** Takes from everybody what they could get in with; answers the account's users. */
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

/** Whether an account is locked and about to be removed. */
export async function isLeaving(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('leaving_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Every account that is locked and not removed yet. */
export async function accountsLeaving(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('account').select('id').where('leaving_at', 'is not', null).execute();
  return rows.map(({ id }) => id);
}

/** Who pays for an account at Stripe, and for what as far as is known; undefined: nobody does. */
export async function payerOf(
  db: Db,
  accountId: string,
): Promise<{ customer_id: string; subscription_id: string | null } | undefined> {
  return db
    .selectFrom('subscription')
    .select(['customer_id', 'subscription_id'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Removes an account and all that refers to it. Returns the addresses to mail about it. */
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

/** What refers to no account by a key, and so outlives it: what is told or noted while it goes. */
const WITHOUT_A_KEY = ['event_sequence', 'search_stale', 'dependency_stale'];

/** Removes what is left of accounts that are gone. */
export async function deleteRemains(db: Db): Promise<void> {
  for (const table of WITHOUT_A_KEY) {
    await sql`
      delete from ${sql.table(table)} as remains
      where not exists (select from account where account.id = remains.account_id)
    `.execute(db);
  }
}

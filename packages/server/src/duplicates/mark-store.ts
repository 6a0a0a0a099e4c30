import { LIKELIHOOD } from '@winnow/contract/duplicate';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** Returns SQL for the account's mark: the minimum probability of pairs that the queue shows. */
export function markColumn(accountId: string): RawBuilder<number> {
  return sql`coalesce((select pair_mark from account where id = ${accountId}), ${LIKELIHOOD.queue}::real)`;
}

/** Returns the account's mark: its own minimum probability, or the default. */
export async function queueThresholdOf(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ mark: number }>`select ${markColumn(accountId)} as mark`.execute(db);
  return rows[0]?.mark ?? LIKELIHOOD.queue;
}

/** Sets the account's mark, or restores the shipped one (null). */
export async function setQueueThreshold(db: Db, accountId: string, mark: number | null): Promise<void> {
  await db.updateTable('account').set({ pair_mark: mark }).where('id', '=', accountId).execute();
}

import { LIKELIHOOD } from '@winnow/contract/duplicate';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/**
 * Returns an SQL expression for the account's queue threshold: the minimum probability of pairs in
 * its queue.
 */
export function queueThresholdColumn(accountId: string): RawBuilder<number> {
  return sql`coalesce((select pair_mark from account where id = ${accountId}), ${LIKELIHOOD.queue}::real)`;
}

/** Returns the account's queue threshold: its own value, or the default. */
export async function queueThresholdOf(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ mark: number }>`select ${queueThresholdColumn(accountId)} as mark`.execute(db);
  return rows[0]?.mark ?? LIKELIHOOD.queue;
}

/** Sets the account's queue threshold. Null restores the default. */
export async function setQueueThreshold(db: Db, accountId: string, mark: number | null): Promise<void> {
  await db.updateTable('account').set({ pair_mark: mark }).where('id', '=', accountId).execute();
}

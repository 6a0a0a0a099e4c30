import type { UsageKind, UsageRange } from '@winnow/contract/usage';
import { sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import { dayOf } from '../day.ts';

/**
 * Adds to an account's daily counter in the transaction `db`, so that it stays consistent with what
 * it counts.
 */
export async function addUsage(
  db: Db,
  accountId: string,
  kind: UsageKind,
  count: number,
  now: Date,
): Promise<void> {
  if (count === 0) return;
  await sql`
    insert into usage_counter (account_id, kind, day, count)
    select id, ${kind}, ${dayOf(now)}::date, ${count}::bigint from account where id = ${accountId}
    on conflict (account_id, kind, day) do update set count = usage_counter.count + excluded.count
  `.execute(db);
}

/** Returns an account's counters over the days of a range, or over all days without one. */
export async function usageWithin(
  db: Db,
  accountId: string,
  range: UsageRange | null,
): Promise<Record<UsageKind, number>> {
  const rows = await db
    .selectFrom('usage_counter')
    .select((select) => ['kind', select.fn.sum<number>('count').as('total')])
    .where('account_id', '=', accountId)
    .$if(range !== null, (query) => query.where(sql<boolean>`day between ${range?.from} and ${range?.to}`))
    .groupBy('kind')
    .execute();
  const totals = { api_requests: 0, issues_ingested: 0, issues_processed: 0, ai_calls: 0 };
  for (const { kind, total } of rows) totals[kind] = total;
  return totals;
}

import type { UsageKind, UsageRange } from '@winnow/contract/usage';
import { sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';
import { dayOf } from '../day.ts';

/**
 * Adds to an account's daily counter. Call it in the transaction that stores the counted objects,
 * so that both stay consistent.
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

/**
 * Returns an account's counters, summed over the days of a range. Without a range, sums over all
 * days.
 */
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

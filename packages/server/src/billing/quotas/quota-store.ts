import type { UsageKind } from '@winnow/contract/usage';
import { sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import type { Db } from '../../schema/tables.ts';

/** Key of a quota: account, kind of usage, and first and last day of a calendar month. */
export interface QuotaKey {
  accountId: string;
  kind: UsageKind;
  month: { from: string; to: string };
}

/** A request for units of a quota. */
export interface QuotaRequest {
  limit: number;
  wanted: number;
  /**
   * Also takes `count` extra units, if at least `minLeft` units remain afterwards. The caller must
   * return unused extra units within `holdMs` milliseconds.
   */
  extra?: { count: number; minLeft: number; holdMs: number } | undefined;
}

/**
 * `count` is the number of units taken. `othersHoldMs` is the time in milliseconds for which other
 * processes may still return extra units.
 */
export interface QuotaGrant {
  count: number;
  othersHoldMs: number;
}

/**
 * Takes the requested units of a monthly quota, or the remaining units if they are fewer.
 * Concurrent calls for the same quota wait until the previous transaction ends. Usage from before
 * the account had a limit counts too. A deleted account gets no units.
 */
export async function takeFrom(db: Db, place: QuotaKey, asked: QuotaRequest): Promise<QuotaGrant> {
  const given = await tryToTake(db, place, asked);
  if (given !== undefined) return given;
  const { accountId, kind, month } = place;
  await sql`
    insert into plan_usage (account_id, kind, month)
    select id, ${kind}, ${month.from} from account where id = ${accountId}
    on conflict do nothing
  `.execute(db);
  return (await tryToTake(db, place, asked)) ?? { count: 0, othersHoldMs: 0 };
}

async function tryToTake(
  db: Db,
  { accountId, kind, month }: QuotaKey,
  { limit, wanted, extra = { count: 0, minLeft: 0, holdMs: 0 } }: QuotaRequest,
): Promise<QuotaGrant | undefined> {
  // Locks the row before reading, so that concurrent calls see each other's units.
  const { rows } = await sql<{ count: number; others_hold_ms: number }>`
    with place as (
      select taken from plan_usage
      where account_id = ${accountId} and kind = ${kind} and month = ${month.from}
      for no key update
    ), counted as (
      select coalesce(sum(count), 0)::bigint as count from usage_counter
      where account_id = ${accountId} and kind = ${kind} and day between ${month.from} and ${month.to}
    ), standing as (
      select greatest(place.taken, counted.count) as taken from place, counted
    ), given as (
      select taken, case
        when ${limit}::bigint - taken - ${wanted}::bigint - ${extra.count}::bigint >= ${extra.minLeft}::bigint
          then ${wanted}::bigint + ${extra.count}::bigint
        else greatest(0, least(${wanted}::bigint, ${limit}::bigint - taken))
      end as count
      from standing
    )
    update plan_usage set
      taken = given.taken + given.count,
      ahead_until = case
        when given.count > ${wanted}::bigint
          then clock_timestamp() + ${extra.holdMs}::double precision * interval '1 millisecond'
        else ahead_until
      end
    from given
    where account_id = ${accountId} and kind = ${kind} and month = ${month.from}
    returning given.count,
      greatest(0, extract(epoch from ahead_until - clock_timestamp()) * 1000)::double precision as others_hold_ms
  `.execute(db);
  const [row] = rows;
  return row && { count: row.count, othersHoldMs: row.others_hold_ms };
}

/** Returns unused units to the quota. */
export async function returnTo(db: Db, { accountId, kind, month }: QuotaKey, count: number): Promise<void> {
  await sql`
    update plan_usage set taken = greatest(0, taken - ${count}::bigint)
    where account_id = ${accountId} and kind = ${kind} and month = ${month.from}
  `.execute(db);
}

/**
 * Returns the number of units used in the month. This is the larger of two counts: units taken from
 * the quota, and usage counted.
 */
export async function countTaken(db: Db, { accountId, kind, month }: QuotaKey): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select greatest(
      (select taken from plan_usage where account_id = ${accountId} and kind = ${kind} and month = ${month.from}),
      (select sum(count) from usage_counter
        where account_id = ${accountId} and kind = ${kind} and day between ${month.from} and ${month.to}),
      0
    )::bigint as taken
  `.execute(db);
  return rows[0]?.taken ?? 0;
}

/** Deletes the quota usage of months that began before `day`. */
export async function removeTakenBefore(db: Db, day: string): Promise<void> {
  await deleteInBatches(db, 'plan_usage', sql<boolean>`month < ${day}`);
}

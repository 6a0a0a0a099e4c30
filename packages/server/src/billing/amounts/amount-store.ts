import type { UsageKind } from '@winnow/contract/usage';
import { sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import type { Db } from '../../schema/tables.ts';

/** What is used, by whom, and in which calendar month: its first day and its last. */
export interface AmountPlace {
  accountId: string;
  kind: UsageKind;
  month: { from: string; to: string };
}

/** How much is asked for. */
export interface Asked {
  limit: number;
  wanted: number;
  /** So many more are taken where at least `far` are left after that. */
  ahead?: { count: number; far: number; holdMs: number } | undefined;
}

/** How many were given, and how long others may still hold what they took ahead. */
export interface Given {
  count: number;
  othersHoldMs: number;
}

/**
 * Takes of a month's amount as many as are wanted, or as many as are left. All takings of one amount follow each other,
 * whoever makes them; in a transaction the next one waits for its end. What was counted while nothing limited the account
 * is taken too. Nothing is given to an account that is gone.
 */
export async function takeOf(db: Db, place: AmountPlace, asked: Asked): Promise<Given> {
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
  { accountId, kind, month }: AmountPlace,
  { limit, wanted, ahead = { count: 0, far: 0, holdMs: 0 } }: Asked,
): Promise<Given | undefined> {
  // Locked before it is read, so that what is read is what the taking before has left.
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
        when ${limit}::bigint - taken - ${wanted}::bigint - ${ahead.count}::bigint >= ${ahead.far}::bigint
          then ${wanted}::bigint + ${ahead.count}::bigint
        else greatest(0, least(${wanted}::bigint, ${limit}::bigint - taken))
      end as count
      from standing
    )
    update plan_usage set
      taken = given.taken + given.count,
      ahead_until = case
        when given.count > ${wanted}::bigint
          then clock_timestamp() + ${ahead.holdMs}::double precision * interval '1 millisecond'
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

/** Gives back what was taken and not used. */
export async function giveBackTo(
  db: Db,
  { accountId, kind, month }: AmountPlace,
  count: number,
): Promise<void> {
  await sql`
    update plan_usage set taken = greatest(0, taken - ${count}::bigint)
    where account_id = ${accountId} and kind = ${kind} and month = ${month.from}
  `.execute(db);
}

/** How much was taken or counted. */
export async function takenOf(db: Db, { accountId, kind, month }: AmountPlace): Promise<number> {
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

/** Removes what was taken in months that began before a day. */
export async function removeTakenBefore(db: Db, day: string): Promise<void> {
  await deleteInBatches(db, 'plan_usage', sql<boolean>`month < ${day}`);
}

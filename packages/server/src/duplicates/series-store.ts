import { randomUUID } from 'node:crypto';
import type { Series } from '@winnow/analysis/series';
import { SIMILARITY } from '@winnow/contract/duplicate';
import { type Selectable, sql } from 'kysely';
import type { IssueSeriesTable } from '../schema/duplicate-tables.ts';
import type { Db } from '../schema/tables.ts';
import { lockPairs } from './store.ts';

export type SeriesRow = Selectable<IssueSeriesTable>;

/**
 * Stores the series of an account and assigns pairs to them. A series is a group of issues whose
 * titles share a frame and differ in a few words.
 *
 * A series that is found again keeps its id, and if it was dismissed, its new pairs are dismissed
 * too. Series that are not found again are deleted, unless they are dismissed.
 *
 * New issues may shorten the frame, which makes the series a new one. A new series is therefore
 * dismissed if most of its issues come from dismissed series. Pairs with equal texts or titles
 * belong to no series: they are copies, not steps of a plan.
 */
export async function storeSeries(db: Db, accountId: string, series: readonly Series[]): Promise<void> {
  await lockPairs(db, accountId);
  const members = series.flatMap(({ key, members: ids }) => ids.map((id) => ({ id, key })));
  await sql`
    with member as materialized (
      select given.issue_id, given.key
      from unnest(${members.map(({ id }) => id)}::uuid[], ${members.map(({ key }) => key)}::text[])
        as given (issue_id, key)
    ), dismissed as (
      select a.key, count(distinct issue.id) as issues
      from issue_series
      join pair on pair.account_id = issue_series.account_id and pair.series_id = issue_series.id
      join member a on a.issue_id = pair.issue_a
      join member b on b.issue_id = pair.issue_b and b.key = a.key
      cross join lateral unnest(array[pair.issue_a, pair.issue_b]) as issue (id)
      where issue_series.account_id = ${accountId} and issue_series.dismissed
      group by a.key
    )
    insert into issue_series (account_id, id, key, frame, umbrella_key, issues, dismissed)
    select ${accountId}, given.id, given.key, given.frame, given.umbrella_key, given.issues,
           coalesce(2 * dismissed.issues > given.issues, false)
    from unnest(
      ${series.map(() => randomUUID())}::uuid[], ${series.map(({ key }) => key)}::text[],
      ${series.map(({ frame }) => frame)}::text[], ${series.map(({ umbrella }) => umbrella)}::text[],
      ${series.map(({ members }) => members.length)}::int[]
    ) as given (id, key, frame, umbrella_key, issues)
    left join dismissed on dismissed.key = given.key
    on conflict (account_id, key) do update
      set frame = excluded.frame, umbrella_key = excluded.umbrella_key, issues = excluded.issues
  `.execute(db);
  await sql`
    delete from issue_series
    where account_id = ${accountId} and not dismissed and key <> all (${series.map(({ key }) => key)}::text[])
  `.execute(db);
  await sql`
    with member as materialized (
      select given.issue_id, issue_series.id as series_id, issue_series.dismissed
      from unnest(${members.map(({ id }) => id)}::uuid[], ${members.map(({ key }) => key)}::text[])
        as given (issue_id, key)
      join issue_series on issue_series.account_id = ${accountId} and issue_series.key = given.key
    ), belonging as materialized (
      select pair.id, a.series_id, a.dismissed
      from member a
      join pair on pair.account_id = ${accountId} and pair.issue_a = a.issue_id
      join member b on b.issue_id = pair.issue_b and b.series_id = a.series_id
      join issue one on one.account_id = ${accountId} and one.id = pair.issue_a
      join issue other on other.account_id = ${accountId} and other.id = pair.issue_b
      where pair.similarity < ${SIMILARITY.identical}::real and lower(one.title) <> lower(other.title)
    )
    update pair
    set series_id = belonging.series_id, dismissed = pair.dismissed or coalesce(belonging.dismissed, false)
    from (
      select id from pair where account_id = ${accountId} and series_id is not null
      union select id from belonging
    ) concerned left join belonging on belonging.id = concerned.id
    where pair.account_id = ${accountId} and pair.id = concerned.id
      and pair.series_id is distinct from belonging.series_id
  `.execute(db);
}

/** Returns series by their ids, in any order. Unknown ids are skipped. */
export async function findSeriesByIds(
  db: Db,
  accountId: string,
  seriesIds: readonly string[],
): Promise<SeriesRow[]> {
  if (seriesIds.length === 0) return [];
  return db
    .selectFrom('issue_series')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${seriesIds}::uuid[])`)
    .execute();
}

/**
 * Dismisses a series and its pairs, or restores both. Returns false if the series does not exist.
 */
export async function dismissSeries(
  db: Db,
  accountId: string,
  seriesId: string,
  dismissed: boolean,
): Promise<boolean> {
  // Takes the lock first, as `storeSeries` does, so that concurrent calls cannot deadlock.
  await lockPairs(db, accountId);
  const { numUpdatedRows } = await db
    .updateTable('issue_series')
    .set({ dismissed })
    .where('account_id', '=', accountId)
    .where('id', '=', seriesId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await db
    .updateTable('pair')
    .set({ dismissed })
    .where('account_id', '=', accountId)
    .where('series_id', '=', seriesId)
    .where('resolution', 'is', null)
    .execute();
  return true;
}

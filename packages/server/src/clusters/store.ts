import type { ClusterOrder, ClusterStatus } from '@winnow/contract/cluster';
import type { TrackerType } from '@winnow/contract/tracker';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ClusterEventTable, ClusterTable } from '../schema/cluster-tables.ts';
import type { Db } from '../schema/tables.ts';

export type StoredCluster = Selectable<ClusterTable>;

/** A cluster with values computed from its current members. */
export type ClusterRow = Omit<StoredCluster, 'status' | 'ended_at' | 'last_members'> & {
  status: ClusterStatus;
  size: number;
  open_issues: number;
  engagement: number;
  first_created_at: Date;
  last_created_at: Date;
  projects: { id: string; name: string; identifier: string; tracker_id: string }[];
  trackers: { id: string; name: string; type: TrackerType }[];
};

export interface ClusterFilter {
  ids?: readonly string[] | undefined;
  status: ClusterStatus | 'all';
  /** Only clusters with an issue in one of these projects. An empty array means all projects. */
  projectIds: readonly string[];
  trackerId?: string | undefined;
  probability: number;
  issueId?: string | undefined;
  without?: readonly string[];
  /** Excludes clusters that other reviews have claimed. */
  freeFor?: { reviewer: string; now: Date };
}

/**
 * SQL expression for the value of deciding about a cluster. A review presents the most valuable
 * clusters first.
 */
const VALUE = sql`open_issues * probability * (1 + engagement)`;
const ORDERS: Record<ClusterOrder, RawBuilder<unknown>> = {
  value: sql`${VALUE} desc`,
  probability: sql`probability desc`,
  size: sql`size desc`,
  engagement: sql`engagement desc`,
  newest: sql`last_created_at desc`,
  oldest: sql`first_created_at`,
};

/** Returns one page of clusters and the total number. Omits clusters without members. */
export async function listClusters(
  db: Db,
  accountId: string,
  filter: ClusterFilter,
  { order, limit, skip }: { order: ClusterOrder; limit: number; skip: number },
): Promise<{ rows: ClusterRow[]; total: number }> {
  const { rows } = await sql<ClusterRow & { total: number }>`
    with found as materialized (
      select *, count(*) over ()::int as total from (${clusters(accountId, filter)}) as cluster
      order by ${ORDERS[order]}, id limit ${limit} offset ${skip}
    )
    select found.*, places.projects, places.trackers from found, lateral (
      select json_agg(distinct jsonb_build_object('id', project.id, 'name', project.name,
          'identifier', project.identifier, 'tracker_id', project.tracker_id)) as projects,
        json_agg(distinct jsonb_build_object('id', tracker.id, 'name', tracker.name,
          'type', tracker.tracker_type)) as trackers
      from project join tracker on tracker.account_id = project.account_id and tracker.id = project.tracker_id
      where project.account_id = ${accountId} and project.id = any (found.project_ids)
    ) as places
    order by ${ORDERS[order]}, id
  `.execute(db);
  const total = rows[0]?.total ?? (skip > 0 ? await countClusters(db, accountId, filter) : 0);
  return { rows, total };
}

/** Returns the number of clusters that match a filter. */
export async function countClusters(db: Db, accountId: string, filter: ClusterFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${clusters(accountId, filter)}) as cluster
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Builds the query for clusters with the values computed from their members. */
function clusters(accountId: string, filter: ClusterFilter): RawBuilder<unknown> {
  const conditions = [sql`probability >= ${filter.probability}::float8`];
  if (filter.status !== 'all') conditions.push(sql`status = ${filter.status}`);
  if (filter.projectIds.length > 0) conditions.push(sql`project_ids && ${filter.projectIds}::uuid[]`);
  if (filter.trackerId !== undefined) conditions.push(sql`${filter.trackerId}::uuid = any (tracker_ids)`);
  if (filter.without !== undefined) conditions.push(sql`id <> all (${filter.without}::uuid[])`);
  if (filter.freeFor !== undefined) {
    const { reviewer, now } = filter.freeFor;
    conditions.push(sql`(claimed_until is null or claimed_until <= ${now} or claimed_by = ${reviewer})`);
  }
  const chosen = [sql`member.account_id = ${accountId}`];
  if (filter.ids !== undefined) chosen.push(sql`member.cluster_id = any (${filter.ids}::uuid[])`);
  if (filter.issueId !== undefined) {
    chosen.push(sql`member.cluster_id = (
      select cluster_id from cluster_member where account_id = ${accountId} and issue_id = ${filter.issueId})`);
  }
  return sql`
    select * from (
      select cluster.account_id, cluster.id, revision, name, given_name, proposed_canonical,
        canonical_reasons, decided_by, decided_at, probability, weakest_probability,
        claimed_by, claimed_name, claimed_until, created_at, facts.*,
        (
          select issue_id from cluster_member
          where cluster_member.account_id = ${accountId} and cluster_member.cluster_id = cluster.id
            and cluster_member.issue_id = chosen_canonical
        ) as chosen_canonical,
        case when status <> 'to_decide' then status when open_issues < 2 then 'settled' else status end as status
      from (
        select member.cluster_id, count(*)::int as size,
          (count(*) filter (where issue.state = 'opened'))::int as open_issues,
          sum(issue.comments_count + issue.reactions)::int as engagement, min(issue.created_at) as first_created_at,
          max(issue.created_at) as last_created_at, array_agg(distinct issue.project_id) as project_ids,
          array_agg(distinct issue.tracker_id) as tracker_ids
        from cluster_member member
        join issue on issue.account_id = member.account_id and issue.id = member.issue_id
        where ${sql.join(chosen, sql` and `)}
        group by member.cluster_id having count(*) > 1
      ) as facts
      join cluster on cluster.account_id = ${accountId} and cluster.id = facts.cluster_id
    ) as cluster
    where ${sql.join(conditions, sql` and `)}`;
}

/** Returns the ids of the issues in a cluster. */
export async function membersOf(db: Db, accountId: string, clusterId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('cluster_member')
    .select('issue_id')
    .where('account_id', '=', accountId)
    .where('cluster_id', '=', clusterId)
    .orderBy('issue_id')
    .execute();
  return rows.map(({ issue_id }) => issue_id);
}

/** True if at least one of these issues is open. */
export async function hasOpenIssue(db: Db, accountId: string, issueIds: readonly string[]): Promise<boolean> {
  const open = await db
    .selectFrom('issue')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${issueIds}::uuid[])`)
    .where('state', '=', 'opened')
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/** Returns the number of open issues in a cluster that are not among these. */
export async function countOtherOpenIssues(
  db: Db,
  accountId: string,
  clusterId: string,
  known: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from cluster_member member
    join issue on issue.account_id = member.account_id and issue.id = member.issue_id
    where member.account_id = ${accountId} and member.cluster_id = ${clusterId}
      and issue.state = 'opened' and issue.id <> all (${known}::uuid[])
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns the id of the cluster that contains each issue, by issue id. */
export async function clustersOf(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('cluster_member')
    .select(['issue_id', 'cluster_id'])
    .where('account_id', '=', accountId)
    .where('issue_id', '=', sql<string>`any (${issueIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ issue_id, cluster_id }) => [issue_id, cluster_id]));
}

/** Finds a cluster; undefined if it does not exist or has ended. */
export function findCluster(
  db: Db,
  accountId: string,
  clusterId: string,
): Promise<StoredCluster | undefined> {
  return db
    .selectFrom('cluster')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', clusterId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** Stores a person's decision about a cluster and increments its revision. */
export async function changeCluster(
  db: Db,
  accountId: string,
  clusterId: string,
  values: Partial<
    Pick<StoredCluster, 'given_name' | 'chosen_canonical' | 'status' | 'decided_by' | 'decided_at'>
  >,
): Promise<void> {
  await db
    .updateTable('cluster')
    .set({ ...values, revision: sql`revision + 1`, claimed_until: null })
    .where('account_id', '=', accountId)
    .where('id', '=', clusterId)
    .execute();
}

/**
 * Stores overrides that put pairs of issues into one cluster or keep them apart. Replaces earlier
 * overrides of the same pairs.
 */
export async function putOverrides(
  db: Db,
  accountId: string,
  pairs: readonly { a: string; b: string }[],
  { type, by, at }: { type: 'must' | 'cannot'; by: string; at: Date },
): Promise<void> {
  await sql`
    insert into cluster_override (account_id, issue_a, issue_b, type, decided_by, decided_at)
    select distinct ${accountId}::uuid, least(given.a, given.b), greatest(given.a, given.b), ${type}, ${by},
      ${at}::timestamptz
    from unnest(${pairs.map(({ a }) => a)}::uuid[], ${pairs.map(({ b }) => b)}::uuid[]) as given (a, b)
    on conflict (account_id, issue_a, issue_b) do update
      set type = excluded.type, decided_by = excluded.decided_by, decided_at = excluded.decided_at
  `.execute(db);
}

/** Deletes overrides of a type between any issue of one list and any issue of the other list. */
export async function removeOverrides(
  db: Db,
  accountId: string,
  one: readonly string[],
  other: readonly string[],
  type: 'must' | 'cannot',
): Promise<void> {
  await sql`
    delete from cluster_override
    where account_id = ${accountId} and type = ${type}
      and ((issue_a = any (${one}::uuid[]) and issue_b = any (${other}::uuid[]))
        or (issue_a = any (${other}::uuid[]) and issue_b = any (${one}::uuid[])))
  `.execute(db);
}

export type ClusterEventRow = Pick<
  Selectable<ClusterEventTable>,
  'cluster_id' | 'type' | 'text' | 'by' | 'at'
>;

/** Appends entries to the history of clusters. */
export async function addEvents(
  db: Db,
  accountId: string,
  events: readonly ClusterEventRow[],
): Promise<void> {
  await sql`
    insert into cluster_event (account_id, cluster_id, type, text, by, at)
    select ${accountId}, given.* from unnest(
      ${events.map(({ cluster_id }) => cluster_id)}::uuid[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ text }) => text)}::text[], ${events.map(({ by }) => by)}::text[],
      ${events.map(({ at }) => at)}::timestamptz[]
    ) as given (cluster_id, type, text, by, at)
    where exists (
      select from cluster where cluster.account_id = ${accountId} and cluster.id = given.cluster_id)
  `.execute(db);
}

/** Returns the newest entries of a cluster's history. */
export function eventsOf(
  db: Db,
  accountId: string,
  clusterId: string,
  limit: number,
): Promise<ClusterEventRow[]> {
  return db
    .selectFrom('cluster_event')
    .select(['cluster_id', 'type', 'text', 'by', 'at'])
    .where('account_id', '=', accountId)
    .where('cluster_id', '=', clusterId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** True if all of these issues are in one cluster. */
export async function areInOneCluster(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<boolean> {
  const ids = [...new Set(issueIds)];
  const { rows } = await sql<{ members: number; clusters: number }>`
    select count(*)::int as members, count(distinct cluster_id)::int as clusters
    from cluster_member where account_id = ${accountId} and issue_id = any (${ids}::uuid[])
  `.execute(db);
  return rows[0]?.members === ids.length && rows[0].clusters === 1;
}

/** Claims a cluster for a review, and releases all other clusters that the review has claimed. */
export async function claim(
  db: Db,
  accountId: string,
  clusterId: string,
  { reviewer, name, until }: { reviewer: string; name: string; until: Date },
): Promise<void> {
  await releaseClaims(db, accountId, reviewer);
  await db
    .updateTable('cluster')
    .set({ claimed_by: reviewer, claimed_name: name, claimed_until: until })
    .where('account_id', '=', accountId)
    .where('id', '=', clusterId)
    .execute();
}

/** Releases the clusters that a review has claimed. */
export async function releaseClaims(db: Db, accountId: string, reviewer: string): Promise<void> {
  await db
    .updateTable('cluster')
    .set({ claimed_by: null, claimed_name: null, claimed_until: null })
    .where('account_id', '=', accountId)
    .where('claimed_by', '=', reviewer)
    .execute();
}

/** A cluster that a person decided or dismissed, with details of that decision. */
export interface DecidedRow {
  id: string;
  name: string;
  status: 'decided' | 'dismissed';
  size: number;
  canonical_key: string | null;
  issues_removed: number;
  decided_by: string;
  decided_at: Date;
}

/** Returns the clusters that people decided or dismissed since a time, latest decision first. */
export async function decidedSince(
  db: Db,
  accountId: string,
  since: Date,
  filter: Pick<ClusterFilter, 'projectIds' | 'trackerId'>,
): Promise<DecidedRow[]> {
  const { rows } = await sql<DecidedRow>`
    select cluster.id, coalesce(cluster.given_name, cluster.name) as name, cluster.status, cluster.size,
      canonical.key as canonical_key, cluster.decided_by, cluster.decided_at,
      (
        select count(*)::int from cluster_member member
        join issue on issue.account_id = member.account_id and issue.id = member.issue_id
        where member.account_id = ${accountId} and member.cluster_id = cluster.id
          and issue.state = 'closed' and issue.is_duplicate and issue.closed_at >= ${since}
      ) as issues_removed
    from (${clusters(accountId, { ...filter, status: 'all', probability: 0 })}) as cluster
    left join issue canonical on canonical.account_id = ${accountId}
      and canonical.id = coalesce(cluster.chosen_canonical, cluster.proposed_canonical)
    where cluster.status in ('decided', 'dismissed') and cluster.decided_at >= ${since}
    order by cluster.decided_at desc, cluster.id
  `.execute(db);
  return rows;
}

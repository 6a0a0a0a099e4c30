import { MIN_AVERAGE_LINK } from '@winnow/analysis/clusters';
import { type PairJudgment, type Resolution, SIMILARITY } from '@winnow/contract/duplicate';
import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** Columns of a stored pair that the clustering reads. */
export interface PairLink {
  id: string;
  a: string;
  b: string;
  similarity: number;
  probability: number;
  resolution: Resolution | null;
  dismissed: boolean;
  undone: boolean;
  /** Common part of the titles of the series that both issues belong to; null if there is none. */
  frame: string | null;
}

/** Pairs, decisions and relations that connect issues or keep them apart. */
export interface IssueGraph {
  pairs: PairLink[];
  judgments: { a: string; b: string; judgment: PairJudgment; by: string }[];
  overrides: { a: string; b: string; type: 'must' | 'cannot'; by: string }[];
  /** Issues that their tracker calls a duplicate of another issue. */
  duplicates: { a: string; b: string; key: string; original: string }[];
  /** Issues that a comment calls a duplicate of another issue. */
  statements: { a: string; b: string; key: string; by: string; quote: string }[];
}

/** Fields of an issue that determine cluster names, canonical issues and differences. */
export interface ClusteredIssue {
  id: string;
  key: string;
  tracker_id: string;
  tracker_name: string;
  title: string;
  description: string;
  issue_type: string;
  labels: string[];
  state: 'opened' | 'closed';
  is_duplicate: boolean;
  comments_count: number;
  reactions: number;
  milestone: string | null;
  is_locked: boolean;
  is_completed: boolean;
  /** Number of distinct comment authors. */
  participants: number;
  created_at: Date;
}

/**
 * Maximum number of a description's characters that are read. Later parts rarely contain an error
 * code.
 */
const MAX_READ_CHARS = 8_000;

/**
 * Locks the account's clusters until this transaction ends. The job and users then cannot change
 * clusters at the same time.
 */
export async function lockClusters(db: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`clusters:${accountId}`}, 0))`.execute(db);
}

/**
 * Returns the ids of issues whose cluster must be recomputed, longest waiting first, and deletes
 * them from the queue. Entries that are committed later stay in the queue.
 */
export async function takeStaleIssues(db: Db, accountId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ issue_id: string }>`
    with taken as (
      delete from cluster_stale where account_id = ${accountId} and id in (
        select id from cluster_stale where account_id = ${accountId} order by id limit ${limit})
      returning issue_id
    )
    select distinct issue_id from taken
  `.execute(db);
  return rows.map(({ issue_id }) => issue_id);
}

/**
 * Deletes issues from the queue of issues whose cluster must be recomputed. Returns the ids of the
 * issues that were in the queue. Call it before reading the links between the issues.
 */
export async function removeStaleIssues(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ issue_id: string }>`
    delete from cluster_stale
    where account_id = ${accountId} and issue_id in (select unnest(${issueIds}::uuid[]))
    returning issue_id
  `.execute(db);
  return rows.map(({ issue_id }) => issue_id);
}

/** Lists the ids of accounts with issues whose cluster must be recomputed. */
export async function accountsToCluster(db: Db): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select id as account_id from account
    where exists (select from cluster_stale where cluster_stale.account_id = account.id)
  `.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/**
 * Connection from one issue to another, based on a pair, a decision, a relation or a common
 * cluster.
 */
interface Connection {
  to: string;
  /**
   * True if both issues must be in one cluster, or are in one at present. False if only the
   * probability of their pair connects them.
   */
  binds: boolean;
  /** True if the cluster of the issue `to` must be recomputed. */
  isStale: boolean;
}

/** Reads the connections of issues. Reads those of each issue only once. */
export class Connections {
  readonly #db: Db;
  readonly #accountId: string;
  readonly #known = new Map<string, Connection[]>();

  constructor(db: Db, accountId: string) {
    this.#db = db;
    this.#accountId = accountId;
  }

  /**
   * Returns these issues, and all issues that are or must be in one cluster with them. Also
   * includes linked issues whose cluster must be recomputed, because they are clustered in the same
   * run.
   */
  withClusterMembers(ids: Iterable<string>): Promise<Set<string>> {
    return this.#reach(ids, ({ binds, isStale }) => binds || isStale);
  }

  /**
   * Returns these issues, and all issues of the clusters to which a link connects them. The ids
   * must be a result of {@link withClusterMembers}, which has read their links.
   */
  async withLinked(ids: Iterable<string>): Promise<Set<string>> {
    const own = [...ids];
    const linked = own.flatMap((id) => this.#known.get(id) ?? []).map(({ to }) => to);
    return this.#reach([...own, ...linked], ({ binds }) => binds);
  }

  /** Divides issues into groups, so that no connection leads from one group to another. */
  groupsOf(ids: ReadonlySet<string>): string[][] {
    const neighbors = new Map(Array.from(ids, (id): [string, string[]] => [id, []]));
    for (const id of ids) {
      for (const { to } of this.#known.get(id) ?? []) {
        // A link may be stored for only one of its two issues, so it is added to both.
        if (ids.has(to)) neighbors.get(id)?.push(to);
        neighbors.get(to)?.push(id);
      }
    }
    const groups: string[][] = [];
    const seen = new Set<string>();
    for (const first of ids) {
      if (seen.has(first)) continue;
      const group = new Set([first]);
      // Iterating over a set also visits values that are added during the iteration.
      for (const id of group) for (const neighbor of neighbors.get(id) ?? []) group.add(neighbor);
      for (const id of group) seen.add(id);
      groups.push([...group]);
    }
    return groups;
  }

  async #reach(ids: Iterable<string>, isFollowed: (connection: Connection) => boolean): Promise<Set<string>> {
    const reached = new Set(ids);
    for (let frontier = [...reached]; frontier.length > 0; ) {
      await this.#read(frontier.filter((id) => !this.#known.has(id)));
      const next = frontier.flatMap((id) => this.#known.get(id) ?? []).filter(isFollowed);
      frontier = [...new Set(next.map(({ to }) => to))].filter((id) => !reached.has(id));
      for (const id of frontier) reached.add(id);
    }
    return reached;
  }

  async #read(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const accountId = this.#accountId;
    const { rows } = await sql<{ a: string; b: string; binds: boolean; is_stale: boolean }>`
      with seed as materialized (select unnest(${ids}::uuid[]) as id),
      connection (a, b, binds) as (
        select seed.id, issue_b, ${isMust}
        from seed join pair on pair.account_id = ${accountId} and issue_a = seed.id where ${isLink}
        union all
        select seed.id, issue_a, ${isMust}
        from seed join pair on pair.account_id = ${accountId} and issue_b = seed.id where ${isLink}
        union all
        select seed.id, issue_b, true
        from seed join pair_judgment on account_id = ${accountId} and issue_a = seed.id where judgment = 'same'
        union all
        select seed.id, issue_a, true
        from seed join pair_judgment on account_id = ${accountId} and issue_b = seed.id where judgment = 'same'
        union all
        select seed.id, issue_b, true
        from seed join cluster_override on account_id = ${accountId} and issue_a = seed.id where type = 'must'
        union all
        select seed.id, issue_a, true
        from seed join cluster_override on account_id = ${accountId} and issue_b = seed.id where type = 'must'
        union all
        select seed.id, original.id, true
        from seed join issue duplicate on duplicate.account_id = ${accountId} and duplicate.id = seed.id
        join issue original on original.account_id = ${accountId}
          and original.tracker_id = duplicate.tracker_id and original.key = duplicate.duplicate_of
        union all
        select seed.id, duplicate.id, true
        from seed join issue original on original.account_id = ${accountId} and original.id = seed.id
        join issue duplicate on duplicate.account_id = ${accountId}
          and duplicate.tracker_id = original.tracker_id and duplicate.duplicate_of = original.key
        union all
        select seed.id, original_id, true
        from seed join stated_duplicate on account_id = ${accountId} and issue_id = seed.id where ${isTrusted}
          and original_id is not null
        union all
        select seed.id, issue_id, true
        from seed join stated_duplicate on account_id = ${accountId} and original_id = seed.id where ${isTrusted}
        union all
        -- One of the seeds in a cluster names its other issues. They are read together.
        select own.issue_id, mate.issue_id, true
        from (
          select distinct on (cluster_id) cluster_id, issue_id
          from seed join cluster_member on account_id = ${accountId} and issue_id = seed.id
          order by cluster_id, issue_id
        ) as own
        join cluster_member mate on mate.account_id = ${accountId} and mate.cluster_id = own.cluster_id
      )
      select a, b, binds, exists (
        select from cluster_stale where account_id = ${accountId} and issue_id = b
      ) as is_stale
      from connection
    `.execute(this.#db);
    for (const id of ids) this.#known.set(id, []);
    for (const { a, b, binds, is_stale: isStale } of rows) {
      this.#known.get(a)?.push({ to: b, binds, isStale });
    }
  }
}

/**
 * True if the pair puts its issues into one cluster: they were closed or merged, or their texts are
 * equal.
 */
const isMust = sql`(pair.similarity >= ${SIMILARITY.identical}::real
  or coalesce(pair.resolution in ('closed', 'merged'), false))`;
/** True if the pair can connect its two issues. */
const isLink = sql`(pair.probability >= ${MIN_AVERAGE_LINK}::float8 or ${isMust})`;

/**
 * True if a comment's statement is trusted. The issue must be closed, and the tracker must have
 * assigned some issue of the project to the comment's author. Anyone can comment on an issue, but
 * only members can be assigned one.
 */
const isTrusted = sql`exists (
  select from issue stating join issue assigned on assigned.account_id = stating.account_id
    and assigned.project_id = stating.project_id and assigned.assignees @> array[stated_duplicate.stated_by]
  where stating.account_id = stated_duplicate.account_id and stating.id = stated_duplicate.issue_id
    and stating.state = 'closed')`;

/**
 * Reads the pairs of issues in the same group, and the decisions and relations between all these
 * issues.
 */
export async function readGraph(
  db: Db,
  accountId: string,
  groups: readonly (readonly string[])[],
): Promise<IssueGraph> {
  const issueIds = groups.flat();
  const groupNumbers = groups.flatMap((group, number) => group.map(() => number));
  const inside = sql`${issueIds}::uuid[]`;
  const both = sql`
    account_id = ${accountId} and issue_a in (select unnest(${inside})) and issue_b in (select unnest(${inside}))`;
  const { rows: pairs } = await sql<PairLink>`
    select pair.id, pair.issue_a as a, pair.issue_b as b, pair.similarity, pair.probability,
      pair.resolution, pair.dismissed, pair.undone, issue_series.frame
    from unnest(${inside}, ${groupNumbers}::int[]) as one (id, number)
    join pair on pair.account_id = ${accountId} and pair.issue_a = one.id
    join unnest(${inside}, ${groupNumbers}::int[]) as other (id, number)
      on other.id = pair.issue_b and other.number = one.number
    left join issue_series on issue_series.account_id = pair.account_id and issue_series.id = pair.series_id
  `.execute(db);
  const { rows: judgments } = await sql<IssueGraph['judgments'][number]>`
    select issue_a as a, issue_b as b, judgment, judged_by as by from pair_judgment where ${both}
  `.execute(db);
  const { rows: overrides } = await sql<IssueGraph['overrides'][number]>`
    select issue_a as a, issue_b as b, type, decided_by as by from cluster_override where ${both}
  `.execute(db);
  const { rows: duplicates } = await sql<IssueGraph['duplicates'][number]>`
    select duplicate.id as a, original.id as b, duplicate.key, original.key as original
    from issue duplicate join issue original on original.account_id = duplicate.account_id
      and original.tracker_id = duplicate.tracker_id and original.key = duplicate.duplicate_of
      and original.id <> duplicate.id
    where duplicate.account_id = ${accountId} and duplicate.duplicate_of is not null
      and duplicate.id in (select unnest(${inside})) and original.id in (select unnest(${inside}))
  `.execute(db);
  const { rows: statements } = await sql<IssueGraph['statements'][number]>`
    select latest.issue_id as a, latest.original_id as b, issue.key, latest.stated_by as by, latest.quote
    from (
      select distinct on (issue_id) * from stated_duplicate
      where account_id = ${accountId} and issue_id in (select unnest(${inside})) and ${isTrusted}
      order by issue_id, position desc
    ) as latest
    join issue on issue.account_id = ${accountId} and issue.id = latest.issue_id
    where latest.original_id in (select unnest(${inside}))
  `.execute(db);
  return { pairs, judgments, overrides, duplicates, statements };
}

/** Reads the fields of issues that clustering needs, by issue id. Omits change requests. */
export async function readIssues(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<Map<string, ClusteredIssue>> {
  const { rows } = await sql<ClusteredIssue>`
    select issue.id, issue.key, issue.tracker_id, tracker.name as tracker_name, issue.title,
      left(issue.description, ${MAX_READ_CHARS}) as description, issue.issue_type, issue.labels,
      issue.state, issue.is_duplicate, issue.comments_count, issue.reactions, issue.milestone,
      issue.is_locked, issue.is_completed, issue.created_at,
      coalesce(speaking.authors, 0)::int as participants
    from issue
    join tracker on tracker.account_id = issue.account_id and tracker.id = issue.tracker_id
    left join (
      select issue_id, count(distinct author) as authors from comment
      where account_id = ${accountId} and issue_id in (select unnest(${issueIds}::uuid[]))
      group by issue_id
    ) speaking on speaking.issue_id = issue.id
    where issue.account_id = ${accountId} and issue.issue_type <> 'change_request'
      and issue.id in (select unnest(${issueIds}::uuid[]))
  `.execute(db);
  return new Map(rows.map((issue) => [issue.id, issue]));
}

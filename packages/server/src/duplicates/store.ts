import {
  LIKELIHOOD,
  PAIRS_COUNTED,
  type PairJudgment,
  type PairOrder,
  type PairScope,
  type ResolutionFilter,
  SIMILARITY,
  type StandingFilter,
} from '@winnow/contract/duplicate';
import type { StatusFilter } from '@winnow/contract/issue';
import { type ExpressionBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import { prepared } from '../platform/database.ts';
import type { PairTable } from '../schema/duplicate-tables.ts';
import type { Db, Tables } from '../schema/tables.ts';
import { pairProbability, pairStanding } from './pair-probability-store.ts';
import { queueThresholdColumn, queueThresholdOf } from './queue-threshold-store.ts';
import type { SeriesRow } from './series-store.ts';

export type PairRow = Selectable<PairTable>;

export interface PairFilter {
  status: StatusFilter;
  resolution: ResolutionFilter;
  threshold: number;
  /** Minimum probability. `mark` means the account's queue threshold. */
  probability: number | 'mark';
  /**
   * Further limits for pairs that a model may be asked about. They do not affect which pair
   * represents a series.
   */
  asked?: { min: number; below: number; similarityBelow: number };
  /** Only pairs that need this kind of decision; `to_decide` means any kind. Replaces `status`. */
  standing: StandingFilter | undefined;
  /** Order of the pairs. `value` orders them by {@link valueOfAsking}. */
  order: PairOrder | 'value';
  /** If true, only the most likely pair of each series. */
  onePerSeries: boolean;
  scope: PairScope;
  /**
   * Scope `project`: both issues must be in one of these projects. Scope `account`: at least one
   * issue must be. An empty array means all projects.
   */
  projectIds: readonly string[];
  /** Only pairs with an issue whose key or title contains this text. */
  query: string | undefined;
  dismissed: boolean;
  /** True: only pairs whose decision was undone. False: only the others. Undefined: all pairs. */
  undone: boolean | undefined;
}

/** SQL expression for {@link valueOfAsking}, for pairs that need a decision. */
const valueColumn = sql<number>`(probability * probability * (1 - probability))`;

/**
 * Returns a page of pairs in the filter's order, best first. The total is exact up to
 * `PAIRS_COUNTED`.
 *
 * Reads a covering index in that order. With a project filter, reads the index once per combination
 * of projects and merges the results.
 */
export async function listPairs(
  db: Db,
  accountId: string,
  filter: PairFilter,
  page: { limit: number; skip: number },
): Promise<{ rows: PairRow[]; total: number; mark: number }> {
  const hasWords = filter.query ? await wordsCondition(db, accountId, filter.query) : undefined;
  if (hasWords === null) return { rows: [], total: 0, mark: await queueThresholdOf(db, accountId) };
  const conditions = pairConditions(accountId, filter, hasWords);
  const [found, counted] = await Promise.all([
    sql<PairRow>`
      select pair.* from (${matches(accountId, conditions, filter, page)}) as hit
      join pair on pair.account_id = ${accountId} and pair.id = hit.id
      order by hit.score desc, hit.id
    `.execute(db),
    sql<{ total: number; mark: number }>`
      select count(*)::int as total, ${queueThresholdColumn(accountId)} as mark from (${matchesToCount(accountId, conditions, filter)}) as hit
    `.execute(db),
  ]);
  const { total = 0, mark = LIKELIHOOD.queue } = counted.rows[0] ?? {};
  return { rows: found.rows, total, mark };
}

/** Builds the query for `id` and score of one page of matching pairs, best first. */
function matches(
  accountId: string,
  conditions: RawBuilder<unknown>,
  filter: PairFilter,
  page: { limit: number; skip: number },
): RawBuilder<{ id: string; score: number }> {
  const score = filter.order === 'value' ? valueColumn : sql.ref<number>(filter.order);
  const wanted = sql`limit ${page.limit} offset ${page.skip}`;
  if (filter.projectIds.length === 0) {
    return sql`select id, ${score} as score from pair where ${conditions} order by ${score} desc, id ${wanted}`;
  }
  return sql`
    select best.id, best.score
    from ${combinationsOf(accountId, filter)},
    lateral (
      select id, ${score} as score from pair
      where ${conditions} and project_a = combination.a and project_b = combination.b
      order by ${score} desc, id limit ${page.limit + page.skip}
    ) as best
    order by score desc, id ${wanted}
  `;
}

/**
 * Builds the query that counts matching pairs up to the counting limit. It omits sorting, which
 * would take most of the time.
 */
function matchesToCount(
  accountId: string,
  conditions: RawBuilder<unknown>,
  filter: PairFilter,
): RawBuilder<unknown> {
  const enough = sql`limit ${PAIRS_COUNTED + 1}`;
  if (filter.projectIds.length === 0) return sql`select from pair where ${conditions} ${enough}`;
  return sql`
    select from ${combinationsOf(accountId, filter)}
    join pair on project_a = combination.a and project_b = combination.b
    where ${conditions} ${enough}
  `;
}

/**
 * Builds SQL for the combinations of projects that the issues of a pair may be in: `a` for the
 * first issue, `b` for the second.
 */
function combinationsOf(accountId: string, filter: PairFilter): RawBuilder<unknown> {
  const chosen = sql`unnest(${filter.projectIds}::uuid[]) as chosen (id)`;
  if (filter.scope === 'project') return sql`(select id as a, id as b from ${chosen}) as combination`;
  return sql`(
    select chosen.id as a, project.id as b from ${chosen}, project where project.account_id = ${accountId}
    union
    select project.id as a, chosen.id as b from ${chosen}, project where project.account_id = ${accountId}
  ) as combination`;
}

function pairConditions(
  accountId: string,
  filter: Omit<PairFilter, 'query'>,
  hasWords?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = [
    sql`account_id = ${accountId}`,
    sql`similarity >= ${filter.threshold}::real`,
    filter.dismissed ? sql`dismissed` : sql`not dismissed`,
  ];
  if (filter.probability === 'mark') conditions.push(sql`probability >= ${queueThresholdColumn(accountId)}`);
  else if (filter.probability > 0) conditions.push(sql`probability >= ${filter.probability}::real`);
  if (filter.standing === 'to_decide') conditions.push(sql`standing <> 'settled'`);
  else if (filter.standing !== undefined) conditions.push(sql`standing = ${filter.standing}`);
  else if (filter.status === 'opened') conditions.push(sql`both_open`);
  else if (filter.status === 'closed') conditions.push(sql`not both_open`);
  if (filter.resolution === 'resolved') conditions.push(sql`resolution is not null`);
  if (filter.resolution === 'unresolved') conditions.push(sql`resolution is null`);
  if (filter.undone !== undefined) conditions.push(filter.undone ? sql`undone` : sql`not undone`);
  // With a project filter, the combinations of projects already ensure that both issues are in one
  // project.
  if (filter.scope === 'project' && filter.projectIds.length === 0) conditions.push(sql`same_project`);
  if (hasWords !== undefined) conditions.push(hasWords);
  const all = sql.join(conditions, sql` and `);
  const asked = filter.asked
    ? sql` and probability >= ${filter.asked.min}::real and probability < ${filter.asked.below}::real
        and similarity < ${filter.asked.similarityBelow}::real`
    : sql``;
  if (!filter.onePerSeries) return sql`${all}${asked}`;
  return sql`${all}${asked} and (series_id is null or pair.id in (
    select distinct on (series_id) id from pair
    where series_id is not null and ${projectsCondition(filter)} and ${all}
    order by series_id, probability desc, id
  ))`;
}

/**
 * Builds the condition on the projects of a pair. It ensures that the pair that represents a series
 * is within the chosen projects.
 */
function projectsCondition({
  scope,
  projectIds,
}: Pick<PairFilter, 'scope' | 'projectIds'>): RawBuilder<unknown> {
  const chosen = sql`any (${projectIds}::uuid[])`;
  if (scope === 'project') {
    return projectIds.length === 0 ? sql`same_project` : sql`same_project and project_a = ${chosen}`;
  }
  return projectIds.length === 0 ? sql`true` : sql`(project_a = ${chosen} or project_b = ${chosen})`;
}

/**
 * Maximum number of matching issues that the condition lists by id. With more, scanning the pairs
 * is faster.
 */
const MAX_LISTED_ISSUES = 1_000;

/**
 * Builds the condition that at least one issue of a pair contains these words in its title or key.
 * Returns null if no issue of the account contains them.
 */
async function wordsCondition(db: Db, accountId: string, words: string): Promise<RawBuilder<unknown> | null> {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`;
  const hasWords = sql`account_id = ${accountId} and (title ilike ${pattern} or key ilike ${pattern})`;
  const { rows } = await sql<{ id: string }>`
    select id from issue where ${hasWords} limit ${MAX_LISTED_ISSUES + 1}
  `.execute(db);
  if (rows.length === 0) return null;
  if (rows.length > MAX_LISTED_ISSUES) {
    return sql`exists (select from issue where ${hasWords} and id in (pair.issue_a, pair.issue_b))`;
  }
  const named = sql`${rows.map(({ id }) => id)}::uuid[]`;
  return sql`(issue_a = any (${named}) or issue_b = any (${named}))`;
}

/** Finds the pair of two issues, given in any order. */
export async function findPair(
  db: Db,
  accountId: string,
  issueId: string,
  otherId: string,
): Promise<PairRow | undefined> {
  return db
    .selectFrom('pair')
    .selectAll()
    .where(pairOf(accountId, issueId, otherId))
    .executeTakeFirst();
}

/**
 * Returns the stored pairs among the given ones. The two issues of a pair may be given in any
 * order.
 */
export async function findPairs(
  db: Db,
  accountId: string,
  pairs: readonly { issueId: string; otherId: string }[],
): Promise<PairRow[]> {
  const { rows } = await sql<PairRow>`
    select pair.* from unnest(
      ${pairs.map(({ issueId }) => issueId)}::uuid[], ${pairs.map(({ otherId }) => otherId)}::uuid[]
    ) as named (one, other)
    join pair on pair.account_id = ${accountId}
      and pair.issue_a = least(named.one, named.other) and pair.issue_b = greatest(named.one, named.other)
  `.execute(db);
  return rows;
}

/** A pair with its series and its judgment, if it has them. */
export interface KnownPair {
  row: PairRow;
  /** Series that both issues belong to. */
  series: PairSeries | null;
  /** Judgment of the pair; null if there is none. */
  judgment: PairJudgment | null;
}

/** Fields of a series that lists of pairs display. */
type PairSeries = Pick<SeriesRow, 'id' | 'frame' | 'issues' | 'umbrella_key' | 'dismissed'>;

/** Adds the series and the judgment to each pair. Keeps the order of the pairs. */
export async function withSeriesAndJudgments(
  db: Db,
  accountId: string,
  rows: readonly PairRow[],
): Promise<KnownPair[]> {
  if (rows.length === 0) return [];
  const { rows: found } = await sql<{ series: PairSeries | null; judgment: PairJudgment | null }>`
    select ${prepared} pair_judgment.judgment, case when issue_series.id is not null then jsonb_build_object(
      'id', issue_series.id, 'frame', issue_series.frame, 'issues', issue_series.issues,
      'umbrella_key', issue_series.umbrella_key, 'dismissed', issue_series.dismissed
    ) end as series
    from unnest(
      ${rows.map(({ issue_a }) => issue_a)}::uuid[], ${rows.map(({ issue_b }) => issue_b)}::uuid[],
      ${rows.map(({ series_id }) => series_id)}::uuid[]
    ) with ordinality as pair (issue_a, issue_b, series_id, position)
    left join pair_judgment on pair_judgment.account_id = ${accountId}
      and pair_judgment.issue_a = pair.issue_a and pair_judgment.issue_b = pair.issue_b
    left join issue_series on issue_series.account_id = ${accountId} and issue_series.id = pair.series_id
    order by position
  `.execute(db);
  return rows.map((row, at) => ({
    row,
    series: found[at]?.series ?? null,
    judgment: found[at]?.judgment ?? null,
  }));
}

/** Returns the most likely pairs of one issue, including resolved ones. Omits dismissed pairs. */
export async function pairsOfIssue(
  db: Db,
  accountId: string,
  issueId: string,
  limit: number,
): Promise<PairRow[]> {
  return db
    .selectFrom('pair')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((where) => where.or([where('issue_a', '=', issueId), where('issue_b', '=', issueId)]))
    .where('dismissed', '=', false)
    .orderBy('probability', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Returns a condition for the pair of two issues. A pair is stored once, with the smaller issue id
 * first.
 */
function pairOf(accountId: string, issueId: string, otherId: string) {
  const [issue_a, issue_b] = issueId < otherId ? [issueId, otherId] : [otherId, issueId];
  return (where: ExpressionBuilder<Tables, 'pair'>) => where.and({ account_id: accountId, issue_a, issue_b });
}

export async function findPairById(db: Db, accountId: string, pairId: string): Promise<PairRow | undefined> {
  return db
    .selectFrom('pair')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', pairId)
    .executeTakeFirst();
}

/** Sets columns that store a decision about a pair. Returns false if the pair does not exist. */
export async function decidePair(
  db: Db,
  accountId: string,
  issueId: string,
  otherId: string,
  decision: Partial<Pick<PairRow, 'dismissed' | 'resolution' | 'change_id' | 'undone'>>,
): Promise<boolean> {
  const result = await db
    .updateTable('pair')
    .set(decision)
    .where(pairOf(accountId, issueId, otherId))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Reopens the pair if this change resolved it, and marks the decision as undone. */
export async function reopenPair(
  db: Db,
  accountId: string,
  issueId: string,
  otherId: string,
  changeId: string,
): Promise<void> {
  await db
    .updateTable('pair')
    .set({ resolution: null, change_id: null, undone: true })
    .where(pairOf(accountId, issueId, otherId))
    .where('change_id', '=', changeId)
    .execute();
}

/** True if a decision about any pair of these issues was undone. */
export async function wasUndoneAmong(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<boolean> {
  const isAmong = sql<string>`any (${issueIds}::uuid[])`;
  const row = await db
    .selectFrom('pair')
    .select('id')
    .where('account_id', '=', accountId)
    .where('issue_a', '=', isAmong)
    .where('issue_b', '=', isAmong)
    .where('undone', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Reopens pairs that were resolved by closing one of these issues, if that issue is open again.
 * Marks the decisions as undone. Skips pairs whose change is being undone, because the undo
 * restores them.
 */
export async function reopenVetoed(db: Db, accountId: string, issueIds: readonly string[]): Promise<void> {
  await sql`
    update pair
    set resolution = null, change_id = null, undone = true
    from change_step step, issue closed
    where pair.account_id = ${accountId} and pair.resolution in ('closed', 'merged')
      and (pair.issue_a = any (${issueIds}::uuid[]) or pair.issue_b = any (${issueIds}::uuid[]))
      and step.account_id = pair.account_id and step.change_id = pair.change_id
      and step.action = 'close_as_duplicate' and step.status = 'applied'
      and closed.account_id = pair.account_id and closed.id = step.target_issue_id
      and closed.id in (pair.issue_a, pair.issue_b)
      and closed.id = any (${issueIds}::uuid[]) and closed.state = 'opened'
      and not exists (
        select from change undo where undo.account_id = pair.account_id
          and undo.undoes = pair.change_id and undo.status = 'applying')
  `.execute(db);
}

/**
 * Inserts the pairs of an issue with other issues, unless they exist. Needed because people may
 * decide about pairs that the analysis did not find. The next analysis scores them.
 */
export async function ensurePairs(
  db: Db,
  accountId: string,
  issueId: string,
  otherIds: readonly string[],
  now: Date,
): Promise<{ isNew: boolean }> {
  await lockPairs(db, accountId);
  const { rows: known } = await sql<{ other: string }>`
    select case when issue_a = ${issueId} then issue_b else issue_a end as other from pair
    where ${pairsBetween(accountId, issueId, otherIds)}
  `.execute(db);
  const stored = new Set(known.map(({ other }) => other));
  const missing = otherIds.filter((id) => !stored.has(id));
  if (missing.length === 0) return { isNew: false };
  const score = { issueId, similarity: 0, logOdds: UNLIKELY_LOG_ODDS, isMutualBest: false };
  const scores = missing.map((otherId) => ({ ...score, otherId }));
  await upsertScores(db, accountId, { startedAt: now, snapshotVersion: NO_SNAPSHOT }, scores);
  return { isNew: true };
}

/**
 * Stores that a change resolved the pairs of an original and the issues closed as its duplicates.
 */
export async function closePairs(
  db: Db,
  accountId: string,
  { originalId, closedIds, changeId }: ClosedPairs,
): Promise<void> {
  await sql`
    update pair set resolution = 'closed', change_id = ${changeId}
    where ${pairsBetween(accountId, originalId, closedIds)} and resolution is null
  `.execute(db);
}

/**
 * Restores the pairs of an original and the issues that the undo of a change reopened. Unlike after
 * {@link reopenPair}, the pairs are suggested again.
 */
export async function restorePairs(
  db: Db,
  accountId: string,
  { originalId, closedIds, changeId }: ClosedPairs,
): Promise<void> {
  await sql`
    update pair set resolution = null, change_id = null, undone = false
    where ${pairsBetween(accountId, originalId, closedIds)}
      and (change_id = ${changeId} or (undone and resolution is null))
  `.execute(db);
}

/** Pairs that a change resolved: an original and the issues closed as its duplicates. */
export interface ClosedPairs {
  originalId: string;
  closedIds: readonly string[];
  changeId: string;
}

/** Returns an SQL condition for the pairs of an issue with any of the other issues. */
function pairsBetween(accountId: string, issueId: string, otherIds: readonly string[]) {
  const others = sql`any (${otherIds}::uuid[])`;
  return sql`pair.account_id = ${accountId}
    and ((issue_a = ${issueId} and issue_b = ${others}) or (issue_b = ${issueId} and issue_a = ${others}))`;
}

/** Log-odds of a pair that the analysis has not scored yet. */
const UNLIKELY_LOG_ODDS = -8;
/** Snapshot version of a pair that the analysis has not scored yet. */
const NO_SNAPSHOT = 0;

/** True if the analysis has scored the pair. */
export function isScored({ snapshot_version }: Pick<PairRow, 'snapshot_version'>): boolean {
  return snapshot_version !== NO_SNAPSHOT;
}

/**
 * Returns pairs that the analysis has not scored yet, ordered by id. Starts after the id `after`.
 */
export function findUnscoredPairs(
  db: Db,
  accountId: string,
  { after, limit }: { after: string; limit: number },
): Promise<Pick<PairRow, 'id' | 'issue_a' | 'issue_b'>[]> {
  return (
    db
      .selectFrom('pair')
      .select(['id', 'issue_a', 'issue_b'])
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .where('snapshot_version', '=', NO_SNAPSHOT)
      // Unscored pairs have similarity 0, so this condition limits the scan to one end of the
      // index.
      .where('similarity', '<', SIMILARITY.stored)
      .orderBy('id')
      .limit(limit)
      .execute()
  );
}

export interface StoredScore {
  issueId: string;
  otherId: string;
  similarity: number;
  /** Log-odds that both are the same issue. Excludes the effect of the older issue's state. */
  logOdds: number;
  /** True if each issue is the most similar one to the other. */
  isMutualBest: boolean;
}

/**
 * Locks the account's pairs until this transaction ends, so that concurrent writers cannot
 * deadlock.
 */
export async function lockPairs(db: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pairs:${accountId}`}, 0))`.execute(db);
}

/**
 * Inserts new pairs and updates the scores of existing pairs. Skips issues that were deleted in the
 * meantime.
 */
export async function upsertScores(
  db: Db,
  accountId: string,
  run: { startedAt: Date; snapshotVersion: number },
  scores: readonly StoredScore[],
): Promise<void> {
  await lockPairs(db, accountId);
  await sql`
    insert into pair (account_id, id, issue_a, issue_b, project_a, project_b, same_project, both_open,
                      standing, similarity, log_odds, probability, is_mutual_best, snapshot_version, scored_at)
    select a.account_id, gen_random_uuid(), a.id, b.id, a.project_id, b.project_id, a.project_id = b.project_id,
           a.state = 'opened' and b.state = 'opened', ${pairStanding}, score.similarity, score.log_odds,
           ${pairProbability(accountId, sql`score.log_odds`, sql`score.similarity`)}, score.is_mutual_best, ${run.snapshotVersion}, ${run.startedAt}
    from ${scoresTable(scores)}
    join issue a on a.account_id = ${accountId} and a.id = least(score.one, score.other)
    join issue b on b.account_id = ${accountId} and b.id = greatest(score.one, score.other)
    on conflict (account_id, issue_a, issue_b) do update
      set similarity = excluded.similarity, log_odds = excluded.log_odds, probability = excluded.probability,
          is_mutual_best = excluded.is_mutual_best, standing = excluded.standing, snapshot_version = excluded.snapshot_version,
          scored_at = excluded.scored_at, both_open = excluded.both_open
  `.execute(db);
}

/** Scores that a pair would have if it were stored. */
interface ComputedPair extends Pick<PairRow, 'issue_a' | 'issue_b' | 'similarity' | 'probability'> {
  is_mutual_best: boolean;
  /** Frame of the series that both issues belong to; null if there is none. */
  series_frame: string | null;
}

/** Computes the stored columns of pairs from their scores, without storing the pairs. */
export async function computePairs(
  db: Db,
  accountId: string,
  scores: readonly StoredScore[],
): Promise<ComputedPair[]> {
  const seriesOf = (issue: 'a' | 'b') => sql`(
    select series_id from pair where account_id = ${accountId} and issue_a = ${sql.ref(issue)}.id
    union select series_id from pair where account_id = ${accountId} and issue_b = ${sql.ref(issue)}.id
  )`;
  const { rows } = await sql<ComputedPair>`
    select a.id as issue_a, b.id as issue_b, score.similarity, score.is_mutual_best,
           (${pairProbability(accountId, sql`score.log_odds`, sql`score.similarity`)})::real as probability,
           (select frame from issue_series
            where account_id = ${accountId} and id in ${seriesOf('a')} and id in ${seriesOf('b')}
            limit 1) as series_frame
    from ${scoresTable(scores)}
    join issue a on a.account_id = ${accountId} and a.id = least(score.one, score.other)
    join issue b on b.account_id = ${accountId} and b.id = greatest(score.one, score.other)
  `.execute(db);
  return rows;
}

function scoresTable(scores: readonly StoredScore[]): RawBuilder<unknown> {
  return sql`unnest(
      ${scores.map((score) => score.issueId)}::uuid[],
      ${scores.map((score) => score.otherId)}::uuid[],
      ${scores.map((score) => score.similarity)}::real[],
      ${scores.map((score) => score.logOdds)}::real[],
      ${scores.map((score) => score.isMutualBest)}::boolean[]
    ) as score (one, other, similarity, log_odds, is_mutual_best)`;
}

/**
 * Deletes pairs of the rescored issues that this run did not find again; null means all issues.
 * Retains pairs with a decision.
 */
export async function deleteUnscored(
  db: Db,
  accountId: string,
  runStartedAt: Date,
  rescored: readonly string[] | null,
): Promise<void> {
  await lockPairs(db, accountId);
  const touched =
    rescored === null
      ? sql`true`
      : sql`(issue_a = any (${rescored}::uuid[]) or issue_b = any (${rescored}::uuid[]))`;
  await sql`
    delete from pair
    where account_id = ${accountId} and scored_at < ${runStartedAt} and ${touched}
      and resolution is null and not dismissed and not undone
  `.execute(db);
}

/**
 * Updates the columns of pairs that depend on the state of their issues: `both_open`, `standing`
 * and `probability`.
 */
export async function refreshPairStates(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<void> {
  await lockPairs(db, accountId);
  await sql`
    update pair
    set both_open = a.state = 'opened' and b.state = 'opened', standing = ${pairStanding},
        probability = ${pairProbability(accountId, sql`pair.log_odds`, sql`pair.similarity`)}
    from issue a, issue b
    where pair.account_id = ${accountId}
      and (pair.issue_a = any (${issueIds}::uuid[]) or pair.issue_b = any (${issueIds}::uuid[]))
      and a.account_id = pair.account_id and a.id = pair.issue_a
      and b.account_id = pair.account_id and b.id = pair.issue_b
  `.execute(db);
}

/** Updates the `standing` of a pair after its judgment has changed. */
export async function refreshStanding(
  db: Db,
  accountId: string,
  { issue_a, issue_b }: Pick<PairRow, 'issue_a' | 'issue_b'>,
): Promise<void> {
  await lockPairs(db, accountId);
  await sql`
    update pair set standing = ${pairStanding}
    from issue a, issue b
    where pair.account_id = ${accountId} and pair.issue_a = ${issue_a} and pair.issue_b = ${issue_b}
      and a.account_id = pair.account_id and a.id = pair.issue_a
      and b.account_id = pair.account_id and b.id = pair.issue_b
  `.execute(db);
}

export interface ProjectStatistics {
  project_id: string;
  project_name: string;
  duplicates: number;
  total: number;
}

/**
 * Counts, per project, all issues and the issues in an unresolved pair at or above the threshold.
 * Both counts are limited to issues in the filter's state, and exclude change requests.
 */
export async function projectStatistics(
  db: Db,
  accountId: string,
  filter: Pick<
    PairFilter,
    'projectIds' | 'status' | 'threshold' | 'probability' | 'standing' | 'onePerSeries' | 'scope'
  >,
): Promise<ProjectStatistics[]> {
  const state = filter.status === 'all' ? sql`true` : sql`issue.state = ${filter.status}`;
  const pairs = pairConditions(accountId, {
    ...filter,
    // Includes pairs of all projects. The project filter only selects which projects are reported.
    projectIds: [],
    resolution: 'unresolved',
    dismissed: false,
    undone: undefined,
    order: 'probability',
  });
  const result = await sql<ProjectStatistics>`
    with alike as materialized (
      select issue_a, issue_b from pair where ${pairs}
    ),
    concerned as (
      select issue_a as id from alike union select issue_b from alike
    )
    select project.id as project_id, project.name as project_name,
           count(concerned.id)::int as duplicates, count(issue.id)::int as total
    from project
    left join issue on issue.account_id = project.account_id and issue.project_id = project.id
      and issue.issue_type <> 'change_request' and ${state}
    left join concerned on concerned.id = issue.id
    where project.account_id = ${accountId}
      ${filter.projectIds.length === 0 ? sql`` : sql`and project.id = any (${filter.projectIds}::uuid[])`}
    group by project.id, project.name
    order by duplicates desc, project.name, project.id
  `.execute(db);
  return result.rows;
}

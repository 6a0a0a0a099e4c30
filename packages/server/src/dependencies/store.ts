import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DependencyTable } from '../schema/dependency-tables.ts';
import type { Db } from '../schema/tables.ts';

export type DependencyRow = Selectable<DependencyTable>;
/** Identifies a dependency by its two issues. */
export type DependencyEnds = Pick<DependencyRow, 'source_issue' | 'dependent_issue'>;
/** A dependency found in texts, by rules or by a model. */
export type FoundDependency = DependencyEnds & { reason: string; confidence: number; found_by: string };

/** Returns the known dependencies among these issues. Omits dismissed ones. */
export function listAmong(db: Db, accountId: string, issueIds: readonly string[]): Promise<DependencyRow[]> {
  return db
    .selectFrom('dependency')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('source_issue', 'in', [...issueIds, NIL_UUID])
    .where('dependent_issue', 'in', [...issueIds, NIL_UUID])
    .where('dismissed', '=', false)
    .orderBy('confidence', 'desc')
    .orderBy('source_issue')
    .orderBy('dependent_issue')
    .execute();
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the known dependencies of a project's issues, including those that cross projects. If
 * `dismissed`, returns only dismissed dependencies; otherwise, only the others.
 */
export async function listOfProject(
  db: Db,
  accountId: string,
  projectId: string,
  dismissed: boolean,
): Promise<DependencyRow[]> {
  const { rows } = await sql<DependencyRow>`
    select dependency.* from dependency
    join issue source on source.account_id = dependency.account_id and source.id = source_issue
    join issue dependent on dependent.account_id = dependency.account_id and dependent.id = dependent_issue
    where dependency.account_id = ${accountId} and dismissed = ${dismissed}
      and ${projectId} in (source.project_id, dependent.project_id)
    order by source_issue, dependent_issue
  `.execute(db);
  return rows;
}

/** Returns the known dependencies of one issue, in both directions. Omits dismissed ones. */
export function listOfIssue(db: Db, accountId: string, issueId: string): Promise<DependencyRow[]> {
  return db
    .selectFrom('dependency')
    .selectAll()
    .where('account_id', '=', accountId)
    .where((where) => where.or([where('source_issue', '=', issueId), where('dependent_issue', '=', issueId)]))
    .where('dismissed', '=', false)
    .orderBy('confidence', 'desc')
    .orderBy('source_issue')
    .orderBy('dependent_issue')
    .execute();
}

export async function findDependency(
  db: Db,
  accountId: string,
  { source_issue, dependent_issue }: DependencyEnds,
): Promise<DependencyRow | undefined> {
  return db
    .selectFrom('dependency')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('source_issue', '=', source_issue)
    .where('dependent_issue', '=', dependent_issue)
    .executeTakeFirst();
}

/** Complete findings of one source, such as a model, about certain pairs of issues. */
export interface SourceFindings {
  /** SQL condition on the columns of `dependency` that selects the pairs. */
  pairs: RawBuilder<unknown>;
  /**
   * SQL query with the columns `source_issue`, `dependent_issue`, `reason`, `confidence` and
   * `found_by`.
   */
  found: RawBuilder<unknown>;
  /** SQL condition that selects the stored dependencies found by this source. */
  isFromSource: RawBuilder<unknown>;
}

/**
 * Replaces the findings of a source about certain pairs. Keeps findings of other sources, and
 * dependencies that a tracker lists or that a user has decided. Ignores deleted issues. Returns
 * true if something changed. Call {@link lockFindings} first.
 */
export async function replaceFindingsOfSource(
  db: Db,
  accountId: string,
  { pairs, found, isFromSource }: SourceFindings,
): Promise<boolean> {
  const { rows: saved } = await sql`
    insert into dependency (account_id, source_issue, dependent_issue, reason, confidence, found_by)
    select ${accountId}::uuid, source.id, dependent.id, told.reason, told.confidence, told.found_by
    from (${found}) as told
    join issue source on source.account_id = ${accountId} and source.id = told.source_issue
    join issue dependent on dependent.account_id = ${accountId} and dependent.id = told.dependent_issue
    order by source.id, dependent.id
    on conflict (account_id, source_issue, dependent_issue) do update
      set reason = excluded.reason, confidence = excluded.confidence, found_by = excluded.found_by
      where (dependency.found_by is null or excluded.found_by = ${BUILT_IN_ANALYST}
          or dependency.found_by <> ${BUILT_IN_ANALYST})
        and (dependency.reason, dependency.confidence, dependency.found_by)
          is distinct from (excluded.reason, excluded.confidence, excluded.found_by)
    returning source_issue
  `.execute(db);
  const isUntold = sql`
    account_id = ${accountId} and ${pairs} and ${isFromSource} and ${IS_UNDECIDED}
      and (source_issue, dependent_issue) not in (select source_issue, dependent_issue from (${found}) as told)`;
  const { rows: gone } = await sql`
    delete from dependency where ${isUntold} and not in_tracker returning source_issue
  `.execute(db);
  const { rows: left } = await sql`
    update dependency set reason = null, confidence = null, found_by = null
    where ${isUntold} and in_tracker returning source_issue
  `.execute(db);
  return saved.length + gone.length + left.length > 0;
}

/** SQL condition that is true if no user has committed, dismissed or undone the dependency. */
const IS_UNDECIDED = sql`change_id is null and not dismissed and not undone`;

/** Replaces the dependencies that models have found among these issues. */
export async function replaceModelFindings(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
  said: readonly FoundDependency[],
): Promise<boolean> {
  return replaceFindingsOfSource(db, accountId, {
    pairs: sql`(source_issue = any(${issueIds}::uuid[]) and dependent_issue = any(${issueIds}::uuid[]))`,
    found: sql`
      select * from unnest(${said.map(({ source_issue }) => source_issue)}::uuid[],
             ${said.map(({ dependent_issue }) => dependent_issue)}::uuid[],
             ${said.map(({ reason }) => reason)}::text[],
             ${said.map(({ confidence }) => confidence)}::real[],
             ${said.map(({ found_by }) => found_by)}::text[])
        as said (source_issue, dependent_issue, reason, confidence, found_by)`,
    isFromSource: sql`found_by <> ${BUILT_IN_ANALYST}`,
  });
}

/**
 * Stores which dependencies of an issue its tracker listed at `readAt`. A dependency that the
 * tracker has stopped listing becomes uncommitted. Skips dependencies that a change is writing, or
 * has written since `readAt`.
 */
export async function replaceTracked(
  db: Db,
  accountId: string,
  issueId: string,
  ends: readonly DependencyEnds[],
  readAt: Date,
): Promise<void> {
  const told = sql`
    select * from unnest(${ends.map(({ source_issue }) => source_issue)}::uuid[],
           ${ends.map(({ dependent_issue }) => dependent_issue)}::uuid[]) as told (source_issue, dependent_issue)`;
  const isOfIssue = sql`account_id = ${accountId} and ${issueId} in (source_issue, dependent_issue)`;
  const wasWrittenSince = (pair: 'told' | 'dependency') => sql`exists (
    select from change
    join change_issue source on source.account_id = change.account_id and source.change_id = change.id
    join change_issue dependent on dependent.account_id = change.account_id and dependent.change_id = change.id
    where change.account_id = ${accountId} and change.kind in ('dependency', 'undo')
      and (change.status = 'applying' or change.applied_at >= ${readAt}::timestamptz)
      and source.issue_id = ${sql.ref(`${pair}.source_issue`)}
      and dependent.issue_id = ${sql.ref(`${pair}.dependent_issue`)})`;
  await sql`
    update dependency set in_tracker = false, change_id = null
    where ${isOfIssue} and in_tracker
      and (source_issue, dependent_issue) not in (${told}) and not ${wasWrittenSince('dependency')}
  `.execute(db);
  await sql`
    insert into dependency (account_id, source_issue, dependent_issue, in_tracker)
    select ${accountId}::uuid, source.id, dependent.id, true from (${told}) as told
    join issue source on source.account_id = ${accountId} and source.id = told.source_issue
    join issue dependent on dependent.account_id = ${accountId} and dependent.id = told.dependent_issue
    where not ${wasWrittenSince('told')}
    order by source.id, dependent.id
    on conflict (account_id, source_issue, dependent_issue) do update set in_tracker = true
  `.execute(db);
  await deleteUnsupported(db, accountId, isOfIssue);
  await sql`
    insert into issue_links_read (account_id, issue_id, read_at)
    select ${accountId}::uuid, id, ${readAt}::timestamptz from issue where account_id = ${accountId} and id = ${issueId}
    on conflict (account_id, issue_id) do update set read_at = excluded.read_at
  `.execute(db);
}

/**
 * Deletes those of the selected dependencies that no text states, no tracker lists, and no user has
 * decided.
 */
async function deleteUnsupported(db: Db, accountId: string, picked: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from dependency
    where ${picked} and not in_tracker and ${IS_UNDECIDED}
      and (reason is null or (found_by = ${BUILT_IN_ANALYST} and not exists (
        select from dependency_finding finding
        where finding.account_id = ${accountId} and finding.source_issue = dependency.source_issue
          and finding.dependent_issue = dependency.dependent_issue)))
  `.execute(db);
}

/**
 * Marks the links of both issues as never read, so that they are read again. Called after a write.
 */
export async function forgetLinksRead(
  db: Db,
  accountId: string,
  { source_issue, dependent_issue }: DependencyEnds,
): Promise<void> {
  await db
    .deleteFrom('issue_links_read')
    .where('account_id', '=', accountId)
    .where('issue_id', 'in', [source_issue, dependent_issue])
    .execute();
}

/** Returns the time at which the links of these issues were last read, by issue id. */
export async function linksReadAt(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('issue_links_read')
    .select(['issue_id', 'read_at'])
    .where('account_id', '=', accountId)
    .where('issue_id', 'in', [...issueIds, NIL_UUID])
    .execute();
  return new Map(rows.map(({ issue_id, read_at }) => [issue_id, read_at]));
}

/** Stores a user's decision about a dependency. Returns false if the dependency is unknown. */
export async function decideDependency(
  db: Db,
  accountId: string,
  { source_issue, dependent_issue }: DependencyEnds,
  decision: Partial<Pick<DependencyRow, 'dismissed' | 'change_id' | 'in_tracker' | 'undone'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dependency')
    .set(decision)
    .where('account_id', '=', accountId)
    .where('source_issue', '=', source_issue)
    .where('dependent_issue', '=', dependent_issue)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * True if the first issue must wait for the second one, directly or through other issues. Follows
 * dependencies that a tracker lists, that are committed, or that are in `others`.
 */
export async function dependsOn(
  db: Db,
  accountId: string,
  { issueId, otherId }: { issueId: string; otherId: string },
  others: readonly DependencyEnds[],
): Promise<boolean> {
  const { rows } = await sql`
    with recursive known as (
      select source_issue, dependent_issue from dependency
      where account_id = ${accountId} and (in_tracker or change_id is not null)
      union all
      select * from unnest(${others.map(({ source_issue }) => source_issue)}::uuid[],
                           ${others.map(({ dependent_issue }) => dependent_issue)}::uuid[])
    ), waiting (id) as (
      select ${issueId}::uuid
      union
      select known.source_issue from known join waiting on known.dependent_issue = waiting.id
    )
    select id from waiting where id = ${otherId}
  `.execute(db);
  return rows.length > 0;
}

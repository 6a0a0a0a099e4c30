import { type Selectable, sql } from 'kysely';
import type { Db, DependencyTable } from '../schema/tables.ts';

export type DependencyRow = Selectable<DependencyTable>;
/** A dependency by its ends. */
export type DependencyEnds = Pick<DependencyRow, 'source_issue' | 'dependent_issue'>;
/** A dependency that the texts show. */
export type FoundDependency = DependencyEnds & { reason: string; confidence: number; found_by: string };

/** What is known among these issues, but for what somebody said is none. */
export function listAmong(db: Db, accountId: string, issueIds: readonly string[]): Promise<DependencyRow[]> {
  return db
    .selectFrom('dependency')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('source_issue', 'in', [...issueIds, NOBODY])
    .where('dependent_issue', 'in', [...issueIds, NOBODY])
    .where('dismissed', '=', false)
    .orderBy('confidence', 'desc')
    .orderBy('source_issue')
    .orderBy('dependent_issue')
    .execute();
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** What is known of the issues of a project, also towards others, but for what somebody said is none. */
export async function listOfProject(db: Db, accountId: string, projectId: string): Promise<DependencyRow[]> {
  const { rows } = await sql<DependencyRow>`
    select dependency.* from dependency
    join issue source on source.account_id = dependency.account_id and source.id = source_issue
    join issue dependent on dependent.account_id = dependency.account_id and dependent.id = dependent_issue
    where dependency.account_id = ${accountId} and not dismissed
      and ${projectId} in (source.project_id, dependent.project_id)
    order by source_issue, dependent_issue
  `.execute(db);
  return rows;
}

/** What is known of one issue, in both directions, but for what somebody said is none. */
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

/** Keeps what the texts of issues show. Issues that are gone meanwhile are left out. */
export async function saveFound(db: Db, accountId: string, found: readonly FoundDependency[]): Promise<void> {
  await sql`
    insert into dependency (account_id, source_issue, dependent_issue, reason, confidence, found_by)
    select ${accountId}::uuid, source.id, dependent.id, found.reason, found.confidence, found.found_by
    from ${asRows(found)}
    join issue source on source.account_id = ${accountId} and source.id = found.source_issue
    join issue dependent on dependent.account_id = ${accountId} and dependent.id = found.dependent_issue
    order by source.id, dependent.id
    on conflict (account_id, source_issue, dependent_issue) do update
      set reason = excluded.reason, confidence = excluded.confidence, found_by = excluded.found_by
  `.execute(db);
}

/**
 * Forgets what the texts of these issues show no more, given all that they show among them; what a tracker has, and what
 * somebody decided about, stays.
 */
export async function forgetUnfound(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
  found: readonly FoundDependency[],
): Promise<void> {
  await sql`
    delete from dependency
    where account_id = ${accountId} and source_issue = any(${issueIds}::uuid[])
      and dependent_issue = any(${issueIds}::uuid[])
      and not in_tracker and change_id is null and not dismissed and not undone
      and (source_issue, dependent_issue) not in (select found.source_issue, found.dependent_issue from ${asRows(found)})
  `.execute(db);
}

function asRows(found: readonly FoundDependency[]) {
  return sql`
    unnest(${found.map(({ source_issue }) => source_issue)}::uuid[],
           ${found.map(({ dependent_issue }) => dependent_issue)}::uuid[],
           ${found.map(({ reason }) => reason)}::text[],
           ${found.map(({ confidence }) => confidence)}::real[],
           ${found.map(({ found_by }) => found_by)}::text[])
      as found (source_issue, dependent_issue, reason, confidence, found_by)`;
}

/** Keeps which dependencies of an issue its tracker has, as it has just told. */
export async function replaceTracked(
  db: Db,
  accountId: string,
  issueId: string,
  ends: readonly DependencyEnds[],
  readAt: Date,
): Promise<void> {
  const told = sql`
    unnest(${ends.map(({ source_issue }) => source_issue)}::uuid[],
           ${ends.map(({ dependent_issue }) => dependent_issue)}::uuid[]) as told (source_issue, dependent_issue)`;
  await sql`
    update dependency set in_tracker = false
    where account_id = ${accountId} and in_tracker and ${issueId} in (source_issue, dependent_issue)
      and (source_issue, dependent_issue) not in (select told.source_issue, told.dependent_issue from ${told})
  `.execute(db);
  await sql`
    insert into dependency (account_id, source_issue, dependent_issue, in_tracker)
    select ${accountId}::uuid, source.id, dependent.id, true from ${told}
    join issue source on source.account_id = ${accountId} and source.id = told.source_issue
    join issue dependent on dependent.account_id = ${accountId} and dependent.id = told.dependent_issue
    order by source.id, dependent.id
    on conflict (account_id, source_issue, dependent_issue) do update set in_tracker = true
  `.execute(db);
  // What neither a text nor a tracker tells any more is nothing.
  await sql`
    delete from dependency
    where account_id = ${accountId} and ${issueId} in (source_issue, dependent_issue)
      and not in_tracker and reason is null and not dismissed
  `.execute(db);
  await sql`
    insert into issue_links_read (account_id, issue_id, read_at)
    select ${accountId}::uuid, id, ${readAt}::timestamptz from issue where account_id = ${accountId} and id = ${issueId}
    on conflict (account_id, issue_id) do update set read_at = excluded.read_at
  `.execute(db);
}

/** When each of these issues' links were last read, by id. */
export async function linksReadAt(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db
    .selectFrom('issue_links_read')
    .select(['issue_id', 'read_at'])
    .where('account_id', '=', accountId)
    .where('issue_id', 'in', [...issueIds, NOBODY])
    .execute();
  return new Map(rows.map(({ issue_id, read_at }) => [issue_id, read_at]));
}

/** What people decide about a dependency. False when it is not known. */
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

/** Whether the first issue has to wait for the second, over any number of dependencies that a tracker has, or of `others`. */
export async function waitsFor(
  db: Db,
  accountId: string,
  { issueId, otherId }: { issueId: string; otherId: string },
  others: readonly DependencyEnds[],
): Promise<boolean> {
  const { rows } = await sql`
    with recursive known as (
      select source_issue, dependent_issue from dependency where account_id = ${accountId} and in_tracker
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

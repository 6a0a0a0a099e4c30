import type { ImplyingTexts } from '@winnow/analysis/dependencies';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { type RawBuilder, sql } from 'kysely';
import type { DependencyInTexts, DependencyReading } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import { type DependencyEnds, type FoundDependency, replaceFindingsOfSource } from './store.ts';

/** An issue whose texts must be read. Each change of its texts assigns a higher number `noted`. */
export interface NotedIssue {
  issue_id: string;
  noted: number;
}

/** Stored result of reading an issue's texts. */
export interface StoredReading extends NotedIssue {
  key: string;
  texts: ImplyingTexts;
  /**
   * Version of the snapshot of word weights with which dependencies were last inferred; 0 if they
   * were never inferred.
   */
  linked_with: number;
}

/**
 * Returns the account's issues whose texts must be read, ordered by `noted`. Starts after the
 * number `after`.
 */
export function listNoted(db: Db, accountId: string, after: number, limit: number): Promise<NotedIssue[]> {
  return db
    .selectFrom('dependency_stale')
    .select(['issue_id', 'noted'])
    .where('account_id', '=', accountId)
    .where('noted', '>', after)
    .orderBy('noted')
    .limit(limit)
    .execute();
}

/** Returns those of the given issues whose texts must be read. */
export function findNoted(db: Db, accountId: string, issueIds: readonly string[]): Promise<NotedIssue[]> {
  return db
    .selectFrom('dependency_stale')
    .select(['issue_id', 'noted'])
    .where('account_id', '=', accountId)
    .where('issue_id', '=', sql<string>`any (${issueIds}::uuid[])`)
    .execute();
}

/**
 * Returns the number of issues in a project, and the number of those whose texts were read. Change
 * requests are excluded.
 */
export async function countRead(
  db: Db,
  accountId: string,
  projectId: string,
): Promise<{ total: number; read: number }> {
  const { rows } = await sql<{ total: number; read: number }>`
    select count(*)::int as total, (count(*) filter (where stale.issue_id is null))::int as read
    from issue
    left join dependency_stale stale on stale.account_id = issue.account_id and stale.issue_id = issue.id
    where issue.account_id = ${accountId} and issue.project_id = ${projectId} and issue.issue_type <> 'change_request'
  `.execute(db);
  return rows[0] ?? { total: 0, read: 0 };
}

/** Locks the account's found dependencies until the transaction ends. */
export async function lockFindings(db: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('dependencies ' || ${accountId}, 0))`.execute(db);
}

/**
 * Stores the results of reading texts. Skips issues that changed in the meantime; they will be read
 * again. Returns true if known dependencies changed. Call {@link lockFindings} and {@link
 * markMentioningDue} first.
 */
export async function saveReadings(
  db: Db,
  accountId: string,
  noted: readonly NotedIssue[],
  readings: readonly DependencyReading[],
): Promise<boolean> {
  const existing = await keepIssues(db, accountId, [
    ...noted.map(({ issue_id }) => issue_id),
    ...readings.flatMap(({ stated }) => endsIn(stated)),
    ...readings.flatMap(({ originals }) => originals.flatMap(({ originalId }) => originalId ?? [])),
  ]);
  const late = new Set(await findLate(db, accountId, readings));
  const settled = await settleNoted(
    db,
    accountId,
    noted.filter(({ issue_id }) => !late.has(issue_id)),
  );
  const notedOf = new Map(settled.map((one) => [one.issue_id, one.noted]));
  const kept = readings.filter(({ issueId }) => notedOf.has(issueId));
  const rows = kept.map(({ issueId, key, missing, texts }) => {
    return { issue_id: issueId, noted: notedOf.get(issueId), key, missing, texts };
  });
  await sql`
    insert into dependency_reading (account_id, issue_id, noted, key, missing, texts, linked_with)
    select ${accountId}::uuid, given.issue_id, given.noted, given.key, given.missing, given.texts, 0
    from json_to_recordset(${JSON.stringify(rows, wellFormed)}::json)
      as given (issue_id uuid, noted bigint, key text, missing text[], texts jsonb)
    join issue on issue.account_id = ${accountId} and issue.id = given.issue_id
    on conflict (account_id, issue_id) do update
      set noted = excluded.noted, key = excluded.key, missing = excluded.missing, texts = excluded.texts, linked_with = 0
  `.execute(db);
  await replaceOriginals(db, accountId, kept, existing);
  const stated = kept.flatMap((reading) =>
    reading.stated.map((one) => ({ ...one, toldBy: reading.issueId })),
  );
  const possible = stated.filter((one) => isAmong(existing, one));
  return replaceFindings(db, accountId, [...notedOf.keys()], possible, { isImplied: false });
}

/** Replaces the stored originals that comments on these issues name. */
async function replaceOriginals(
  db: Db,
  accountId: string,
  readings: readonly DependencyReading[],
  existing: ReadonlySet<string>,
): Promise<void> {
  const rows = readings.flatMap(({ issueId, originals }) =>
    originals
      .filter(({ originalId }) => existing.has(issueId) && (originalId === null || existing.has(originalId)))
      .map(({ originalId, by, quote }, position) => {
        return { issue_id: issueId, position, original_id: originalId, stated_by: by, quote };
      }),
  );
  const issueIds = readings.map(({ issueId }) => issueId);
  await sql`
    delete from stated_duplicate where account_id = ${accountId} and issue_id = any (${issueIds}::uuid[])
  `.execute(db);
  if (rows.length === 0) return;
  await sql`
    insert into stated_duplicate (account_id, issue_id, position, original_id, stated_by, quote)
    select ${accountId}::uuid, given.* from json_to_recordset(${JSON.stringify(rows, wellFormed)}::json)
      as given (issue_id uuid, position integer, original_id uuid, stated_by text, quote text)
  `.execute(db);
}

/**
 * Replaces unpaired surrogates, which PostgreSQL cannot store. A text cut in the middle of a
 * character may end in one.
 */
function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/**
 * Marks issues to be read again if they mention one of these issues by a key that was unknown when
 * they were last read. Marks one issue at a time: holding several row locks could deadlock with
 * other writers.
 */
export async function markMentioningDue(
  db: Db,
  accountId: string,
  readings: readonly DependencyReading[],
): Promise<void> {
  const naming = await db
    .selectFrom('dependency_reading')
    .select('issue_id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`missing <> '{}' and missing && ${readings.map(({ key }) => key)}::text[]`)
    .execute();
  for (const { issue_id } of naming) {
    await sql`select note_dependency_stale(${accountId}::uuid, ${issue_id}::uuid)`.execute(db);
  }
}

/**
 * Returns the ids of issues that mention a key for which an issue was stored only after the mention
 * was read.
 */
async function findLate(
  db: Db,
  accountId: string,
  readings: readonly DependencyReading[],
): Promise<string[]> {
  const named = readings.flatMap(({ issueId, missing }) => missing.map((key) => ({ issueId, key })));
  const { rows } = await sql<{ issue_id: string }>`
    select distinct named.issue_id
    from unnest(${named.map(({ issueId }) => issueId)}::uuid[], ${named.map(({ key }) => key)}::text[])
      as named (issue_id, key)
    join issue naming on naming.account_id = ${accountId} and naming.id = named.issue_id
    join issue on issue.account_id = ${accountId} and issue.key = named.key
      and issue.tracker_id = naming.tracker_id and issue.issue_type <> 'change_request'
  `.execute(db);
  return rows.map(({ issue_id }) => issue_id);
}

/**
 * Marks issues as read. Skips issues that changed in the meantime or that a writer has locked.
 * Returns the marked issues.
 */
async function settleNoted(db: Db, accountId: string, noted: readonly NotedIssue[]): Promise<NotedIssue[]> {
  const { rows } = await sql<NotedIssue>`
    with settled as (
      select stale.issue_id, stale.noted from dependency_stale stale
      join unnest(${noted.map(({ issue_id }) => issue_id)}::uuid[], ${noted.map((one) => one.noted)}::bigint[])
        as read (issue_id, noted) on read.issue_id = stale.issue_id and read.noted = stale.noted
      where stale.account_id = ${accountId}
      order by stale.issue_id for update of stale skip locked
    )
    delete from dependency_stale using settled
    where dependency_stale.account_id = ${accountId} and dependency_stale.issue_id = settled.issue_id
    returning dependency_stale.issue_id, dependency_stale.noted
  `.execute(db);
  return rows;
}

/**
 * Locks issues against deletion and returns the ids of those that exist. Locks in the order of ids,
 * so that concurrent callers cannot deadlock.
 */
async function keepIssues(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from issue where account_id = ${accountId} and id = any (${issueIds}::uuid[]) order by id for key share
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Yields all stored readings of an account, in pages ordered by issue id. */
export async function* readingsOf(
  db: Db,
  accountId: string,
  pageSize: number,
): AsyncGenerator<StoredReading[]> {
  for (let after: string | undefined; ; ) {
    const page = await db
      .selectFrom('dependency_reading')
      .select(['issue_id', 'noted', 'key', 'texts', 'linked_with'])
      .where('account_id', '=', accountId)
      .$if(after !== undefined, (query) => query.where('issue_id', '>', after ?? ''))
      .orderBy('issue_id')
      .limit(pageSize)
      .execute();
    yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.issue_id;
  }
}

/**
 * True if dependencies of an issue must be inferred again: its texts were read since the last
 * inference, or the snapshot is newer.
 */
export async function isInferenceDue(db: Db, accountId: string, snapshotVersion: number): Promise<boolean> {
  const row = await db
    .selectFrom('dependency_reading')
    .select('issue_id')
    .where('account_id', '=', accountId)
    .where('linked_with', '<>', snapshotVersion)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the ids of issues for which a dependency on one of these issues was inferred. */
export async function listDependents(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('dependency_finding')
    .select('dependent_issue')
    .distinct()
    .where('account_id', '=', accountId)
    .where('source_issue', '=', sql<string>`any (${issueIds}::uuid[])`)
    .where('is_implied', '=', true)
    .execute();
  return rows.map(({ dependent_issue }) => dependent_issue);
}

/**
 * Stores the inferred dependencies in `found`. Marks the issues in `linked` as done for this
 * snapshot, except those that were read again in the meantime. Returns true if known dependencies
 * changed. Call {@link lockFindings} first.
 */
export async function saveImplied(
  db: Db,
  accountId: string,
  looked: readonly string[],
  found: readonly DependencyInTexts[],
  linked: { issues: readonly NotedIssue[]; snapshotVersion: number },
): Promise<boolean> {
  const existing = await keepIssues(db, accountId, [...looked, ...endsIn(found)]);
  await sql`
    update dependency_reading set linked_with = ${linked.snapshotVersion}
    from unnest(${linked.issues.map(({ issue_id }) => issue_id)}::uuid[],
                ${linked.issues.map(({ noted }) => noted)}::bigint[]) as done (issue_id, noted)
    where account_id = ${accountId} and dependency_reading.issue_id = done.issue_id
      and dependency_reading.noted = done.noted
  `.execute(db);
  const findingsOfPairs = found.map((one) => ({ ...one, toldBy: one.dependent }));
  const possible = findingsOfPairs.filter((one) => isAmong(existing, one));
  return replaceFindings(db, accountId, looked, possible, { isImplied: true });
}

/** True if `issueIds` contains both issues of a dependency and the issue whose text states it. */
function isAmong(
  issueIds: ReadonlySet<string>,
  { source, dependent, toldBy }: DependencyInTexts & { toldBy: string },
): boolean {
  return issueIds.has(source) && issueIds.has(dependent) && issueIds.has(toldBy);
}

function endsIn(found: readonly DependencyInTexts[]): string[] {
  return found.flatMap(({ source, dependent }) => [source, dependent]);
}

/** Replaces the stored findings from the texts of these issues, and updates the dependencies. */
async function replaceFindings(
  db: Db,
  accountId: string,
  toldBy: readonly string[],
  found: readonly (DependencyInTexts & { toldBy: string })[],
  { isImplied }: { isImplied: boolean },
): Promise<boolean> {
  const { rows: before } = await sql<DependencyEnds>`
    delete from dependency_finding
    where account_id = ${accountId} and told_by = any (${toldBy}::uuid[]) and is_implied = ${isImplied}
    returning source_issue, dependent_issue
  `.execute(db);
  if (found.length > 0) {
    await sql`
      insert into dependency_finding
        (account_id, told_by, source_issue, dependent_issue, is_implied, reason, confidence)
      select ${accountId}::uuid, told_by, source, dependent, ${isImplied}::boolean, reason, confidence
      from unnest(${found.map((one) => one.toldBy)}::uuid[], ${found.map(({ source }) => source)}::uuid[],
                  ${found.map(({ dependent }) => dependent)}::uuid[], ${found.map(({ reason }) => reason)}::text[],
                  ${found.map(({ confidence }) => confidence)}::real[])
        as found (told_by, source, dependent, reason, confidence)
      on conflict do nothing
    `.execute(db);
  }
  const after = found.map(({ source, dependent }) => ({ source_issue: source, dependent_issue: dependent }));
  return settleDependencies(db, accountId, [...before, ...after]);
}

/**
 * Returns an SQL query for the dependencies that texts state or imply for pairs of issues. Each has
 * the reason from the most certain text. Omits an implied dependency if a text states the opposite.
 */
function findingsOfPairs(accountId: string, pairs: RawBuilder<unknown>) {
  return sql`
    select distinct on (source_issue, dependent_issue) source_issue, dependent_issue, reason, confidence,
      ${BUILT_IN_ANALYST}::text as found_by
    from dependency_finding finding
    where account_id = ${accountId} and ${pairs}
      and not (is_implied and exists (
        select from dependency_finding opposite
        where opposite.account_id = ${accountId} and not opposite.is_implied
          and opposite.source_issue = finding.dependent_issue and opposite.dependent_issue = finding.source_issue))
    order by source_issue, dependent_issue, confidence desc, told_by
  `;
}

/**
 * Updates the stored dependencies of these pairs, in both directions, from the stored findings.
 * Returns true if something changed.
 */
async function settleDependencies(
  db: Db,
  accountId: string,
  touched: readonly DependencyEnds[],
): Promise<boolean> {
  if (touched.length === 0) return false;
  const sources = touched.flatMap((pair) => [pair.source_issue, pair.dependent_issue]);
  const dependents = touched.flatMap((pair) => [pair.dependent_issue, pair.source_issue]);
  const pairs = sql`(source_issue, dependent_issue) in (
    select * from unnest(${sources}::uuid[], ${dependents}::uuid[]))`;
  return replaceFindingsOfSource(db, accountId, {
    pairs,
    found: findingsOfPairs(accountId, pairs),
    isFromSource: sql`found_by = ${BUILT_IN_ANALYST}`,
  });
}

/** Returns the dependencies among these issues that texts state or imply. */
export async function listFindingsAmong(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<FoundDependency[]> {
  const among = sql`source_issue = any (${issueIds}::uuid[]) and dependent_issue = any (${issueIds}::uuid[])`;
  const { rows } = await sql<FoundDependency>`${findingsOfPairs(accountId, among)}`.execute(db);
  return rows;
}

import { randomUUID } from 'node:crypto';
import { type Insertable, type NotNull, type Selectable, type SqlBool, sql, type Updateable } from 'kysely';
import type { SampleCommentTable, SampleIssueTable } from '../../schema/sample-tables.ts';
import type { Db } from '../../schema/tables.ts';

/**
 * Account and tracker that a sample backlog belongs to. Every function here takes it as its first
 * parameter.
 */
export interface SampleOwner {
  accountId: string;
  trackerId: string;
}

/**
 * A position in a listing sorted by update time, then by id. The id is the number of an issue or
 * the id of a comment.
 */
export interface CursorPosition {
  at: Date;
  id: string;
}

export type SampleIssueRow = Selectable<SampleIssueTable> & { comments: number };
export type SampleCommentRow = Selectable<SampleCommentTable>;

/** Counts the issues of a project that come after `position`. */
export async function countIssues(
  db: Db,
  owner: SampleOwner,
  project: string,
  position: CursorPosition | null,
): Promise<number> {
  const { count } = await db
    .selectFrom('sample_issue')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', owner.accountId)
    .where('tracker_id', '=', owner.trackerId)
    .where('project_identifier', '=', project)
    .$if(position !== null, (query) => query.where(issueAfter(position)))
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts the comments of a project that come after `position`. */
export async function countComments(
  db: Db,
  owner: SampleOwner,
  project: string,
  position: CursorPosition | null,
): Promise<number> {
  const { count } = await db
    .selectFrom('sample_comment')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', owner.accountId)
    .where('tracker_id', '=', owner.trackerId)
    .where('project_identifier', '=', project)
    .$if(position !== null, (query) => query.where(commentAfter(position)))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns at most `limit` issues that come after `position`, sorted by update time. */
export async function listIssues(
  db: Db,
  owner: SampleOwner,
  project: string,
  position: CursorPosition | null,
  limit: number,
): Promise<SampleIssueRow[]> {
  return issuesOf(db, owner, project)
    .$if(position !== null, (query) => query.where(issueAfter(position)))
    .orderBy('updated_at')
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** Returns at most `limit` comments that come after `position`, sorted by update time. */
export async function listComments(
  db: Db,
  owner: SampleOwner,
  project: string,
  position: CursorPosition | null,
  limit: number,
): Promise<SampleCommentRow[]> {
  return db
    .selectFrom('sample_comment')
    .selectAll()
    .where('account_id', '=', owner.accountId)
    .where('tracker_id', '=', owner.trackerId)
    .where('project_identifier', '=', project)
    .$if(position !== null, (query) => query.where(commentAfter(position)))
    .orderBy('updated_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function findIssue(
  db: Db,
  owner: SampleOwner,
  project: string,
  number: number,
): Promise<SampleIssueRow | undefined> {
  return issuesOf(db, owner, project).where('number', '=', number).executeTakeFirst();
}

/** Returns the comments of an issue that were created at or after `since`, oldest first. */
export async function commentsOf(
  db: Db,
  owner: SampleOwner,
  project: string,
  number: number,
  since: Date,
): Promise<SampleCommentRow[]> {
  return db
    .selectFrom('sample_comment')
    .selectAll()
    .where('account_id', '=', owner.accountId)
    .where('tracker_id', '=', owner.trackerId)
    .where('project_identifier', '=', project)
    .where('number', '=', number)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/**
 * Runs one write to a sample tracker. Writes run one at a time, each with a later time than all
 * earlier writes. So a reader that has reached some update time never misses an earlier write.
 */
export async function write<T>(
  db: Db,
  owner: SampleOwner,
  now: Date,
  work: (transaction: Db, at: Date) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    const lock = `sample ${owner.accountId} ${owner.trackerId}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction);
    const { latest } = await transaction
      .selectFrom('sample_issue')
      .select((select) => select.fn.max('updated_at').as('latest'))
      .where('account_id', '=', owner.accountId)
      .where('tracker_id', '=', owner.trackerId)
      .executeTakeFirstOrThrow();
    const at = new Date(Math.max(now.getTime(), latest === null ? 0 : latest.getTime() + 1));
    return work(transaction, at);
  });
}

/** Updates an issue. Returns false if the issue does not exist. */
export async function updateIssue(
  db: Db,
  owner: SampleOwner,
  project: string,
  number: number,
  values: Updateable<SampleIssueTable> & { updated_at: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('sample_issue')
    .set(values)
    .where('account_id', '=', owner.accountId)
    .where('tracker_id', '=', owner.trackerId)
    .where('project_identifier', '=', project)
    .where('number', '=', number)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Returns the numbers of all issues of a project. */
export async function issueNumbers(db: Db, owner: SampleOwner, project: string): Promise<number[]> {
  const rows = await issuesOf(db, owner, project).clearSelect().select('number').orderBy('number').execute();
  return rows.map(({ number }) => number);
}

/** Returns the issues that were created at or after `since`, oldest first. */
export async function issuesSince(
  db: Db,
  owner: SampleOwner,
  project: string,
  since: Date,
): Promise<SampleIssueRow[]> {
  return issuesOf(db, owner, project).where('created_at', '>=', since).orderBy('number').execute();
}

/** Returns the names of all authors and assignees in a project. */
export async function peopleOf(db: Db, owner: SampleOwner, project: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from sample_issue, unnest(assignees || author) as name
    where account_id = ${owner.accountId} and tracker_id = ${owner.trackerId}
      and project_identifier = ${project}
    order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** Inserts an open issue with the next free number of its project, and returns that number. */
export async function insertIssue(
  db: Db,
  owner: SampleOwner,
  project: string,
  values: Pick<Insertable<SampleIssueTable>, 'title' | 'body' | 'labels' | 'author' | 'assignees'>,
  at: Date,
): Promise<number> {
  const { number } = await db
    .insertInto('sample_issue')
    .values((select) => ({
      account_id: owner.accountId,
      tracker_id: owner.trackerId,
      project_identifier: project,
      number: select
        .selectFrom('sample_issue as known')
        .where('known.account_id', '=', owner.accountId)
        .where('known.tracker_id', '=', owner.trackerId)
        .where('known.project_identifier', '=', project)
        .select(sql<number>`coalesce(max(known.number), 0) + 1`.as('next')),
      ...values,
      state: 'open' as const,
      state_reason: null,
      duplicate_of: null,
      closed_at: null,
      issue_type: 'task',
      priority: null,
      created_at: at,
      updated_at: at,
    }))
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

/** Identifies an issue by project and number. */
export interface SampleIssueRef {
  project: string;
  number: number;
}

/** Records that one existing issue blocks another. Idempotent. */
export async function insertLink(
  db: Db,
  owner: SampleOwner,
  blocker: SampleIssueRef,
  blocked: SampleIssueRef,
): Promise<void> {
  await db
    .insertInto('sample_link')
    .values(linkRow(owner, blocker, blocked))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteLink(
  db: Db,
  owner: SampleOwner,
  blocker: SampleIssueRef,
  blocked: SampleIssueRef,
): Promise<void> {
  await db
    .deleteFrom('sample_link')
    .where((where) => where.and(linkRow(owner, blocker, blocked)))
    .execute();
}

/** Returns the issues that an issue blocks, and the issues that block it. */
export async function linksOf(
  db: Db,
  owner: SampleOwner,
  { project, number }: SampleIssueRef,
): Promise<{ blocks: SampleIssueRef[]; blockedBy: SampleIssueRef[] }> {
  const rows = await db
    .selectFrom('sample_link')
    .selectAll()
    .where('account_id', '=', owner.accountId)
    .where('tracker_id', '=', owner.trackerId)
    .where((where) =>
      where.or([
        where.and({ blocker_project: project, blocker_number: number }),
        where.and({ blocked_project: project, blocked_number: number }),
      ]),
    )
    .orderBy('blocked_project')
    .orderBy('blocked_number')
    .orderBy('blocker_project')
    .orderBy('blocker_number')
    .execute();
  const isBlocker = (row: (typeof rows)[number]) =>
    row.blocker_project === project && row.blocker_number === number;
  return {
    blocks: rows
      .filter(isBlocker)
      .map((row) => ({ project: row.blocked_project, number: row.blocked_number })),
    blockedBy: rows
      .filter((row) => !isBlocker(row))
      .map((row) => ({ project: row.blocker_project, number: row.blocker_number })),
  };
}

function linkRow(owner: SampleOwner, blocker: SampleIssueRef, blocked: SampleIssueRef) {
  return {
    account_id: owner.accountId,
    tracker_id: owner.trackerId,
    blocker_project: blocker.project,
    blocker_number: blocker.number,
    blocked_project: blocked.project,
    blocked_number: blocked.number,
  };
}

/** Inserts the issues and comments of a new sample tracker. */
export async function insertBacklog(
  db: Db,
  issues: Insertable<SampleIssueTable>[],
  comments: Insertable<SampleCommentTable>[],
): Promise<void> {
  if (issues.length > 0) await db.insertInto('sample_issue').values(issues).execute();
  if (comments.length > 0) await db.insertInto('sample_comment').values(comments).execute();
}

/** Adds a comment to an existing issue and returns its id. */
export async function insertComment(
  db: Db,
  owner: SampleOwner,
  comment: { project: string; number: number; author: string; body: string; at: Date },
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('sample_comment')
    .values({
      account_id: owner.accountId,
      tracker_id: owner.trackerId,
      id,
      project_identifier: comment.project,
      number: comment.number,
      author: comment.author,
      body: comment.body,
      created_at: comment.at,
      updated_at: comment.at,
    })
    .execute();
  return id;
}

/** Deletes a comment of an issue. Returns false if the comment does not exist. */
export async function deleteComment(
  db: Db,
  owner: SampleOwner,
  project: string,
  number: number,
  id: string,
): Promise<boolean> {
  const result = await db
    .deleteFrom('sample_comment')
    .where('account_id', '=', owner.accountId)
    .where('tracker_id', '=', owner.trackerId)
    .where('project_identifier', '=', project)
    .where('number', '=', number)
    .where(sql<SqlBool>`id::text = ${id}`)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function issueAfter(position: CursorPosition | null) {
  return sql<SqlBool>`(updated_at, number) > (${position?.at}, ${Number(position?.id)})`;
}

function commentAfter(position: CursorPosition | null) {
  return sql<SqlBool>`(updated_at, id) > (${position?.at}, ${position?.id}::uuid)`;
}

function issuesOf(db: Db, owner: SampleOwner, project: string) {
  return db
    .selectFrom('sample_issue')
    .selectAll('sample_issue')
    .select((select) =>
      select
        .selectFrom('sample_comment')
        .whereRef('sample_comment.account_id', '=', 'sample_issue.account_id')
        .whereRef('sample_comment.tracker_id', '=', 'sample_issue.tracker_id')
        .whereRef('sample_comment.project_identifier', '=', 'sample_issue.project_identifier')
        .whereRef('sample_comment.number', '=', 'sample_issue.number')
        .select(sql<number>`count(*)::int`.as('count'))
        .as('comments'),
    )
    .where('sample_issue.account_id', '=', owner.accountId)
    .where('sample_issue.tracker_id', '=', owner.trackerId)
    .where('sample_issue.project_identifier', '=', project)
    .$narrowType<{ comments: NotNull }>();
}

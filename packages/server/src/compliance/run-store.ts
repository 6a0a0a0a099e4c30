import type { StatusFilter } from '@winnow/contract/issue';
import { type Selectable, sql } from 'kysely';
import type { ComplianceRunTable } from '../schema/compliance-tables.ts';
import type { Db } from '../schema/tables.ts';

export type RunRow = Selectable<ComplianceRunTable>;
/** Selects the issues that a run scores. */
export type RunScope = Pick<RunRow, 'project_id' | 'status'>;

/** Creates a run for a project. Returns undefined if the project already has an unfinished run. */
export async function insertRun(
  db: Db,
  run: Omit<RunRow, 'state' | 'done' | 'after_id' | 'reason' | 'ended_at'>,
): Promise<RunRow | undefined> {
  return db
    .insertInto('compliance_run')
    .values({ ...run, state: 'running', after_id: null, reason: null, ended_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function findRun(db: Db, accountId: string, runId: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('compliance_run')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', runId)
    .executeTakeFirst();
}

/** Returns the newest run of each project for a prompt. */
export async function newestRuns(db: Db, accountId: string, promptId: string): Promise<RunRow[]> {
  return db
    .selectFrom('compliance_run')
    .selectAll()
    .distinctOn('project_id')
    .where('account_id', '=', accountId)
    .where('prompt_id', '=', promptId)
    .orderBy('project_id')
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Returns the unfinished runs of all accounts. */
export function listUnfinishedRuns(db: Db): Promise<Pick<RunRow, 'account_id' | 'id'>[]> {
  return db
    .selectFrom('compliance_run')
    .select(['account_id', 'id'])
    .where('state', '=', 'running')
    .execute();
}

/** Deletes the finished runs of a project. */
export async function deleteFinishedRuns(
  db: Db,
  accountId: string,
  projectId: string,
  promptId: string,
): Promise<void> {
  await db
    .deleteFrom('compliance_run')
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('prompt_id', '=', promptId)
    .where('state', '<>', 'running')
    .execute();
}

/** Stores the progress of a run. Does nothing if the run was stopped. */
export async function advanceRun(
  db: Db,
  { account_id, id }: Pick<RunRow, 'account_id' | 'id'>,
  by: { afterId: string; done: number; calls: number },
): Promise<void> {
  await db
    .updateTable('compliance_run')
    .set((set) => ({
      after_id: by.afterId,
      done: set('done', '+', by.done),
      calls_left: set('calls_left', '-', by.calls),
    }))
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

/** Ends a run. Returns false if the run has already ended. */
export async function endRun(
  db: Db,
  { account_id, id }: Pick<RunRow, 'account_id' | 'id'>,
  end: { state: 'done' | 'stopped' | 'failed'; reason: string | null; ended_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('compliance_run')
    .set(end)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the next issues of a project, ordered by id. Omits change requests. */
export async function issueIdsAfter(
  db: Db,
  accountId: string,
  { project_id, status }: RunScope,
  afterId: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from issue
    where account_id = ${accountId} and project_id = ${project_id} and issue_type <> 'change_request'
      and ${isOf(status)} and (${afterId}::uuid is null or id > ${afterId}::uuid)
    order by id limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the number of issues that a run would score. */
export async function countIssuesOf(
  db: Db,
  accountId: string,
  { project_id, status }: RunScope,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from issue
    where account_id = ${accountId} and project_id = ${project_id} and issue_type <> 'change_request'
      and ${isOf(status)}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

function isOf(status: StatusFilter) {
  return status === 'all' ? sql`true` : sql`state = ${status}`;
}

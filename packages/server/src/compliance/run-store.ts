import type { StatusFilter } from '@winnow/contract/issue';
import { type Selectable, sql } from 'kysely';
import type { ComplianceRunTable } from '../schema/compliance-tables.ts';
import type { Db } from '../schema/tables.ts';

export type RunRow = Selectable<ComplianceRunTable>;
/** Which issues are scored. */
export type RunScope = Pick<RunRow, 'project_id' | 'status'>;

/** Begins the scoring of a project; undefined when that goes on already. */
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

/** The newest run by a prompt of each project. */
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

/** The runs that have not ended, of all accounts. */
export function everyRunning(db: Db): Promise<Pick<RunRow, 'account_id' | 'id'>[]> {
  return db
    .selectFrom('compliance_run')
    .select(['account_id', 'id'])
    .where('state', '=', 'running')
    .execute();
}

/** Forgets the runs of a project that have ended. */
export async function forgetEnded(
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

/** Goes on behind the last issue that was looked at. Nothing when the run was stopped meanwhile. */
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

/** Ends a run, if it goes on. False when it does not. */
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

/** Issues of a project behind one of them, in the order of their ids, change requests left out. */
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

/** How many issues there are to look at. */
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

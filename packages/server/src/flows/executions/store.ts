import type { ExecutionStatus, FlowDefinition } from '@winnow/contract/flow';
import { type Insertable, type Selectable, sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import type { FlowExecutionTable, FlowLogTable } from '../../schema/flow-tables.ts';
import type { Db } from '../../schema/tables.ts';

export type ExecutionRow = Selectable<FlowExecutionTable>;
export type LogRow = Selectable<FlowLogTable>;
/** An execution without the columns that only the runner reads. Those columns may be large. */
export type ExecutionView = Pick<ExecutionRow, (typeof VIEW_COLUMNS)[number]> & { flow_name: string };

const VIEW_COLUMNS = [
  'account_id',
  'id',
  'flow_id',
  'status',
  'trigger_event',
  'dry_run',
  'ai_model_name',
  'result',
  'error_message',
  'actions',
  'change_ids',
  'tool_calls_count',
  'budget_used',
  'input_tokens',
  'output_tokens',
  'iterations',
  'log_entries',
  'retry_of',
  'created_at',
  'start_time',
  'end_time',
] as const satisfies (keyof ExecutionRow)[];
const FLOW_NAME = sql<string>`definition ->> 'name'`.as('flow_name');

export interface ExecutionFilter {
  flowId?: string | undefined;
  status?: ExecutionStatus | undefined;
}

/** Inserts at least one execution. */
export async function insertExecutions(db: Db, executions: Insertable<FlowExecutionTable>[]): Promise<void> {
  await db.insertInto('flow_execution').values(executions).execute();
}

/** Lists the executions of an account, newest first, with the total number. */
export async function listExecutions(
  db: Db,
  accountId: string,
  { flowId, status }: ExecutionFilter,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ rows: ExecutionView[]; total: number }> {
  let executions = db.selectFrom('flow_execution').where('account_id', '=', accountId);
  if (flowId !== undefined) executions = executions.where('flow_id', '=', flowId);
  if (status !== undefined) executions = executions.where('status', '=', status);
  const [rows, { total }] = await Promise.all([
    executions
      .select(VIEW_COLUMNS)
      .select(FLOW_NAME)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(skip)
      .execute(),
    executions.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

export async function findExecution(
  db: Db,
  accountId: string,
  executionId: string,
): Promise<ExecutionView | undefined> {
  return db
    .selectFrom('flow_execution')
    .select(VIEW_COLUMNS)
    .select(FLOW_NAME)
    .where('account_id', '=', accountId)
    .where('id', '=', executionId)
    .executeTakeFirst();
}

/** Lists the log entries with numbers above `after`, in ascending order. */
export async function listLogs(
  db: Db,
  accountId: string,
  executionId: string,
  after: number,
  limit: number,
): Promise<LogRow[]> {
  return db
    .selectFrom('flow_log')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('execution_id', '=', executionId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/**
 * Locks flows against changes until the transaction ends. Returns their tool policies by flow id.
 * Moving an MCP server requires the same locks, so the servers' addresses cannot change during the
 * transaction.
 */
export async function lockPolicies(
  db: Db,
  accountId: string,
  flowIds: readonly string[],
): Promise<Map<string, FlowDefinition['tool_policies']>> {
  const rows = await db
    .selectFrom('flow')
    .select(['id', 'definition'])
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any (${flowIds}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute();
  return new Map(rows.map(({ id, definition }) => [id, definition.tool_policies]));
}

/**
 * Marks an unfinished execution as running and returns it; undefined if it has ended or does not
 * exist. From then on, progress of earlier workers is rejected.
 */
export async function markRunning(
  db: Db,
  accountId: string,
  executionId: string,
  at: Date,
): Promise<ExecutionRow | undefined> {
  return db
    .updateTable('flow_execution')
    .set({
      status: 'RUNNING',
      start_time: sql<Date>`coalesce(start_time, ${at})`,
      attempts: sql<number>`attempts + 1`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', executionId)
    .where('status', 'in', ['PENDING', 'RUNNING'])
    .returningAll()
    .executeTakeFirst();
}

/**
 * Stops an execution: immediately if it is not running, otherwise when its worker notices. Returns
 * false if the execution has ended or does not exist.
 */
export async function requestStop(
  db: Db,
  accountId: string,
  executionId: string,
  at: Date,
): Promise<boolean> {
  const result = await stopping(db, accountId, at).where('id', '=', executionId).executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Lists the unfinished executions of an account, with the flow definitions that they started with.
 */
export function unendedDefinitions(
  db: Db,
  accountId: string,
  ownerId?: string,
): Promise<Pick<ExecutionRow, 'id' | 'definition'>[]> {
  return db
    .selectFrom('flow_execution')
    .select(['id', 'definition'])
    .where('account_id', '=', accountId)
    .where('status', 'in', ['PENDING', 'RUNNING'])
    .$if(ownerId !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('flow')
            .select('flow.id')
            .whereRef('flow.account_id', '=', 'flow_execution.account_id')
            .whereRef('flow.id', '=', 'flow_execution.flow_id')
            .where('flow.owner_id', '=', ownerId ?? ''),
        ),
      ),
    )
    .execute();
}

/** Stops these executions. Returns the ids of the running ones, whose workers must be notified. */
export async function requestStops(
  db: Db,
  accountId: string,
  executionIds: readonly string[],
  at: Date,
): Promise<string[]> {
  const asked = await stopping(db, accountId, at)
    .where('id', '=', sql<string>`any(${executionIds}::uuid[])`)
    .returning(['id', 'status'])
    .execute();
  return asked.flatMap(({ id, status }) => (status === 'RUNNING' ? [id] : []));
}

function stopping(db: Db, accountId: string, at: Date) {
  return db
    .updateTable('flow_execution')
    .set({
      stop_asked: true,
      state: sql<null>`case when status = 'PENDING' then null else state end`,
      calls: sql<null>`case when status = 'PENDING' then null else calls end`,
      end_time: sql<Date | null>`case when status = 'PENDING' then ${at}::timestamptz else end_time end`,
      status: sql<ExecutionStatus>`case when status = 'PENDING' then 'STOPPED' else status end`,
    })
    .where('account_id', '=', accountId)
    .where('status', 'in', ['PENDING', 'RUNNING']);
}

/**
 * True if an execution must stop because a user requested it, or because the execution was removed.
 */
export async function shouldStop(db: Db, accountId: string, executionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('flow_execution')
    .select('stop_asked')
    .where('account_id', '=', accountId)
    .where('id', '=', executionId)
    .executeTakeFirst();
  return row?.stop_asked ?? true;
}

/**
 * Returns the model that an execution is waiting for, and the start of the wait. Undefined if the
 * execution is not waiting, or if it should stop.
 */
export async function findModelWait(
  db: Db,
  accountId: string,
  executionId: string,
): Promise<{ modelId: string; since: Date } | undefined> {
  const row = await db
    .selectFrom('flow_execution')
    .select(['model_wait_since', sql<string | null>`definition ->> 'ai_model_id'`.as('model_id')])
    .where('account_id', '=', accountId)
    .where('id', '=', executionId)
    .where('status', '=', 'PENDING')
    .where('stop_asked', '=', false)
    .executeTakeFirst();
  if (!row || row.model_id === null || row.model_wait_since === null) return undefined;
  return { modelId: row.model_id, since: row.model_wait_since };
}

/** Lists all unfinished executions of all accounts. */
export async function listUnfinishedExecutions(
  db: Db,
): Promise<(Pick<ExecutionRow, 'account_id' | 'id'> & { ai_model_id: string | null })[]> {
  return db
    .selectFrom('flow_execution')
    .select(['account_id', 'id', sql<string | null>`definition ->> 'ai_model_id'`.as('ai_model_id')])
    .where('status', 'in', ['PENDING', 'RUNNING'])
    .execute();
}

/**
 * Deletes the finished executions of all accounts that were created before a time, with their logs.
 */
export async function removeBefore(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'flow_execution', sql<boolean>`created_at < ${before} and end_time is not null`);
}

import type { ActionTaken, LogType } from '@winnow/contract/flow';
import { sql } from 'kysely';
import type { QuestionCost } from '../../ai/index.ts';
import type { Db } from '../../schema/tables.ts';
import { limitPayload, toStorableJson } from './storable.ts';

/** Progress of an execution since it was last stored. Omitted fields stay unchanged. */
export interface Progress {
  entries?: readonly LogEntry[];
  /** State from which a restarted worker continues. */
  state?: object;
  /** State of the calls within the current turn of the agent. */
  calls?: object;
  toolCalls?: number;
  iterations?: number;
  /**
   * Time at which the execution began to wait for its model. Null when the model is available
   * again. Setting a time suspends the execution, unless a user has stopped it.
   */
  modelWaitSince?: Date | null;
  /** A completed action. It is skipped if an action with the same change is already stored. */
  action?: ActionTaken;
  end?: {
    status: 'SUCCEEDED' | 'FAILED' | 'STOPPED';
    result: string | null;
    error: string | null;
  };
}

export interface LogEntry {
  type: LogType;
  payload: Record<string, unknown>;
}

/**
 * Stores the progress of an execution, atomically and in one query.
 *
 * Returns false if the execution has ended, was removed, or was restarted by a later attempt. Also
 * returns false if it should start to wait for its model, but a user has stopped it.
 */
export async function saveProgress(
  db: Db,
  accountId: string,
  { executionId, attempt }: { executionId: string; attempt: number },
  progress: Progress,
  at: Date,
): Promise<boolean> {
  const { entries = [], state, calls, toolCalls = 0, iterations = 0, modelWaitSince, action, end } = progress;
  const changeId = action?.change_id ?? null;
  const isNew = sql<boolean>`not coalesce(${changeId}::uuid = any (change_ids), false)`;
  let updated = db
    .updateTable('flow_execution')
    .set({
      log_entries: sql<number>`log_entries + ${entries.length}`,
      tool_calls_count: sql<number>`tool_calls_count + ${toolCalls}`,
      iterations: sql<number>`iterations + ${iterations}`,
      ...(modelWaitSince === undefined ? {} : { model_wait_since: modelWaitSince }),
      ...(modelWaitSince instanceof Date ? { status: 'PENDING' as const } : {}),
      ...(state === undefined ? {} : { state: toStorableJson(state) }),
      ...(calls === undefined ? {} : { calls: toStorableJson(calls) }),
      ...(action === undefined
        ? {}
        : {
            actions: sql<string>`case when ${isNew} then actions || ${toStorableJson([action])}::jsonb else actions end`,
          }),
      ...(changeId === null
        ? {}
        : {
            change_ids: sql<
              string[]
            >`case when ${isNew} then change_ids || ${changeId}::uuid else change_ids end`,
          }),
      ...(end === undefined
        ? {}
        : {
            status: end.status,
            end_time: at,
            result: end.result,
            error_message: end.error,
            state: null,
            calls: null,
          }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', executionId)
    .where('status', '=', 'RUNNING')
    .where('attempts', '=', attempt)
    .returning('log_entries');
  if (modelWaitSince instanceof Date) updated = updated.where('stop_asked', '=', false);
  const log = toStorableJson(entries.map(({ type, payload }) => ({ type, payload: limitPayload(payload) })));
  const { rows } = await sql`
    with updated as (${updated}), logged as (
      insert into flow_log (account_id, execution_id, seq, at, type, payload)
      select ${accountId}, ${executionId}, log_entries - ${entries.length} + ordinality, ${at},
        entry ->> 'type', entry -> 'payload'
      from updated, jsonb_array_elements(${log}::jsonb) with ordinality as element (entry, ordinality)
    )
    select log_entries from updated
  `.execute(db);
  return rows.length > 0;
}

/**
 * Adds the cost of model calls to an execution. The execution may already have ended, because costs
 * can be reported late.
 */
export async function addSpent(
  db: Db,
  accountId: string,
  executionId: string,
  { cost, tokens }: Pick<QuestionCost, 'cost' | 'tokens'>,
): Promise<void> {
  await db
    .updateTable('flow_execution')
    .set({
      budget_used: sql<number>`budget_used + ${cost ?? 0}::numeric`,
      input_tokens: sql<number>`input_tokens + ${tokens.input ?? 0}`,
      output_tokens: sql<number>`output_tokens + ${tokens.output ?? 0}`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', executionId)
    .execute();
}

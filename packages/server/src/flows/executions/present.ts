import type { ExecutionLog, FlowExecution } from '@winnow/contract/flow';
import type { ExecutionView, LogRow } from './store.ts';

/** Converts an execution to its API form. */
export function presentExecution(row: ExecutionView): FlowExecution {
  return {
    id: row.id,
    flow_id: row.flow_id,
    flow_name: row.flow_name,
    status: row.status,
    created_at: row.created_at.toISOString(),
    start_time: row.start_time?.toISOString() ?? null,
    end_time: row.end_time?.toISOString() ?? null,
    trigger_event: row.trigger_event,
    dry_run: row.dry_run,
    ai_model_name: row.ai_model_name,
    result: row.result,
    error_message: row.error_message,
    actions_taken_summary: row.actions,
    tool_calls_count: row.tool_calls_count,
    budget_used: row.budget_used,
    tokens: { input: row.input_tokens, output: row.output_tokens },
    iterations: row.iterations,
    change_ids: row.change_ids,
    retry_of: row.retry_of,
  };
}

/** Converts a log entry of an execution to its API form. */
export function presentLog({ seq, at, type, payload }: LogRow): ExecutionLog {
  return { seq, timestamp: at.toISOString(), type, payload: payload as ExecutionLog['payload'] };
}

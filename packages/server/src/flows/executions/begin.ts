import { randomUUID } from 'node:crypto';
import type { FlowDefinition, TriggerEvent } from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import { modelNames } from '../../ai/service.ts';
import { addressesOf } from '../../mcp-servers/registered-tools.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { runFlowJob, runFlowPlace } from './job.ts';
import { everyUnended, holdPolicies } from './store.ts';

/** A flow that is to be run, and on what. */
export interface ExecutionStart {
  flowId: string;
  /** The flow as it is now; what is changed later does not touch this execution. */
  definition: FlowDefinition;
  /** What starts it; the execution is bound to its issue and project. */
  event: TriggerEvent;
  dryRun?: boolean;
  /** The execution that this one repeats. */
  retryOf?: string | null;
  /** Somebody asked for it: a model that is left alone after a failure is asked all the same. */
  byHand?: boolean;
}

export interface BeginOptions {
  jobs: Jobs;
  at: Date;
}

/** Begins one execution, as {@link beginExecutions} does; answers its id. */
export async function beginExecution(
  db: Db,
  accountId: string,
  start: ExecutionStart,
  options: BeginOptions,
): Promise<string> {
  const [begun] = await beginExecutions(db, accountId, [start], options);
  if (begun === undefined) throw new Error('The execution was not stored.');
  return begun.id;
}

/**
 * Stores executions as PENDING and asks for the jobs that run them. Pass a transaction: one is there when and only when
 * the other is. Answers the id of each. The caller tells browsers once it is committed.
 */
export async function beginExecutions<Start extends ExecutionStart>(
  db: Db,
  accountId: string,
  starts: readonly Start[],
  { jobs, at }: BeginOptions,
): Promise<{ start: Start; id: string }[]> {
  if (starts.length === 0) return [];
  const asked = starts.flatMap(({ definition: { ai_model_id: id } }) => id ?? []);
  const models = await modelNames(db, accountId, [...new Set(asked)]);
  const named = new Set(starts.flatMap(({ definition }) => definition.allowed_mcp_servers));
  // Held before the addresses are read: what is allowed is allowed at these, though a server moved since the flow was read.
  const policies = await holdPolicies(db, accountId, [...new Set(starts.map(({ flowId }) => flowId))]);
  const addresses = await addressesOf(db, accountId, [...named]);
  const copyOf = ({ flowId, definition }: ExecutionStart) => ({
    ...definition,
    tool_policies: stillAllowed(definition.tool_policies, policies.get(flowId) ?? {}),
    server_addresses: Object.fromEntries(
      [...addresses].filter(([name]) => definition.allowed_mcp_servers.includes(name)),
    ),
  });
  const begun = starts.map((start) => ({ start, id: randomUUID() }));
  const rows = begun.map(({ id, start }) => ({
    account_id: accountId,
    id,
    flow_id: start.flowId,
    status: 'PENDING' as const,
    definition: JSON.stringify(copyOf(start)),
    trigger_event: JSON.stringify(start.event),
    issue_id: start.event.issue_id,
    project_id: start.event.project_id,
    dry_run: start.dryRun ?? false,
    ai_model_name: models.get(start.definition.ai_model_id ?? '') ?? null,
    retry_of: start.retryOf ?? null,
    created_at: at,
  }));
  await db.insertInto('flow_execution').values(rows).execute();
  for (const { start, id } of begun) {
    const { ai_model_id } = start.definition;
    const payload = { account_id: accountId, execution_id: id, by_hand: start.byHand, ai_model_id };
    await jobs.enqueue(runFlowJob(ai_model_id), payload, { ...runFlowPlace(id), db });
  }
  return begun;
}

/** Policies without those that allow an outside tool which the flow does not allow any more. */
function stillAllowed(
  policies: FlowDefinition['tool_policies'],
  current: FlowDefinition['tool_policies'],
): FlowDefinition['tool_policies'] {
  return Object.fromEntries(
    Object.entries(policies).filter(
      ([tool, policy]) =>
        policy !== 'allow' || tool.startsWith(`${MCP_SERVER_NAME}/`) || current[tool] === 'allow',
    ),
  );
}

/** Goes on with every execution that has not ended, should its job have been lost. */
export async function resumeExecutions(db: Db, jobs: Jobs): Promise<void> {
  for (const { account_id, id, ai_model_id } of await everyUnended(db)) {
    const payload = { account_id, execution_id: id, ai_model_id };
    await jobs.enqueue(runFlowJob(ai_model_id), payload, { ...runFlowPlace(id), onlyIfNone: true });
  }
}

import { randomUUID } from 'node:crypto';
import type { FlowDefinition, TriggerEvent } from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import { modelNames } from '../../ai/index.ts';
import { addressesOf } from '../../mcp-servers/index.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { runFlowJob, runFlowQueueKey } from './job.ts';
import { insertExecutions, listUnfinishedExecutions, lockPolicies } from './store.ts';

/** A flow to run, with the trigger of the execution. */
export interface ExecutionStart {
  flowId: string;
  /** Current definition of the flow. Later changes of the flow do not affect this execution. */
  definition: FlowDefinition;
  /** Trigger of the execution. It determines the issue and the project. */
  event: TriggerEvent;
  dryRun?: boolean;
  /** Id of the execution that this one retries; null if it is not a retry. */
  retryOf?: string | null;
  /**
   * True if a user started the execution. A model that is paused after failures is then tried
   * again.
   */
  isManual?: boolean;
  /** User who started the execution; null if an event or a schedule did. */
  startedBy?: string | null;
}

export interface StartOptions {
  jobs: Jobs;
  at: Date;
}

/** Starts a single execution with {@link startExecutions}. Returns its id. */
export async function startExecution(
  db: Db,
  accountId: string,
  start: ExecutionStart,
  options: StartOptions,
): Promise<string> {
  const [begun] = await startExecutions(db, accountId, [start], options);
  if (begun === undefined) throw new Error('The execution was not stored.');
  return begun.id;
}

/**
 * Stores executions as PENDING and enqueues their jobs. Returns the executions with their ids. Pass
 * a transaction, so that both happen or neither. After the commit, the caller must notify browsers.
 */
export async function startExecutions<Start extends ExecutionStart>(
  db: Db,
  accountId: string,
  starts: readonly Start[],
  { jobs, at }: StartOptions,
): Promise<{ start: Start; id: string }[]> {
  if (starts.length === 0) return [];
  const asked = starts.flatMap(({ definition: { ai_model_id: id } }) => id ?? []);
  const models = await modelNames(db, accountId, [...new Set(asked)]);
  const named = new Set(starts.flatMap(({ definition }) => definition.allowed_mcp_servers));
  // Locks the flows before reading the addresses of their MCP servers. A server may have moved
  // since the flow was read. The lock ensures that permissions apply only to the addresses read
  // here.
  const policies = await lockPolicies(db, accountId, [...new Set(starts.map(({ flowId }) => flowId))]);
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
    started_by: start.startedBy ?? null,
    created_at: at,
  }));
  await insertExecutions(db, rows);
  for (const { start, id } of begun) {
    const { ai_model_id } = start.definition;
    const payload = { account_id: accountId, execution_id: id, by_hand: start.isManual, ai_model_id };
    await jobs.enqueue(runFlowJob(ai_model_id), payload, { ...runFlowQueueKey(id), db });
  }
  return begun;
}

/** Removes permissions for external tools that the stored flow does not grant. */
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

/** Enqueues the jobs of all unfinished executions again, in case a job was lost. */
export async function resumeExecutions(db: Db, jobs: Jobs): Promise<void> {
  for (const { account_id, id, ai_model_id } of await listUnfinishedExecutions(db)) {
    const payload = { account_id, execution_id: id, ai_model_id };
    await jobs.enqueue(runFlowJob(ai_model_id), payload, { ...runFlowQueueKey(id), onlyIfNone: true });
  }
}

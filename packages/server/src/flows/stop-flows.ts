import type { FlowDefinition } from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import { offeredModelIds } from '../ai/index.ts';
import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { requestStops, unendedDefinitions } from './executions/store.ts';
import { disableFlows, enabledDefinitions } from './store.ts';
import { mayWriteUnapproved } from './write-permission.ts';

type OutgoingParts = Pick<
  FlowDefinition,
  'write_mode' | 'tool_policies' | 'ai_model_id' | 'allowed_mcp_servers'
>;

/**
 * Disables flows of an account. When the transaction commits, stops their executions in all
 * processes. Returns the names of the flows. Call it last in the transaction.
 *
 * `outgoing` limits this to flows and executions that may write without approval, or that use a
 * custom model or an MCP server. With `ownerId`, only flows of this member are disabled.
 */
export async function stopFlows(
  transaction: Db,
  accountId: string,
  which: 'all' | 'outgoing',
  {
    events,
    now,
    ownerId,
  }: { events: Pick<Events<AccountEvent>, 'publish'>; now: () => Date; ownerId?: string | undefined },
): Promise<string[]> {
  const offeredModels = await offeredModelIds(transaction, accountId);
  const isMeant = (definition: OutgoingParts) =>
    which === 'all' || mayWriteUnapproved(definition) || usesCustomAddress(definition, offeredModels);
  const flows = (await enabledDefinitions(transaction, accountId, ownerId)).filter(
    ({ ai_model_id, definition }) => isMeant({ ...definition, ai_model_id }),
  );
  await disableFlows(
    transaction,
    accountId,
    flows.map(({ id }) => id),
  );
  const executions = (await unendedDefinitions(transaction, accountId, ownerId)).filter(({ definition }) =>
    isMeant(definition),
  );
  const ids = executions.map(({ id }) => id);
  for (const executionId of await requestStops(transaction, accountId, ids, now())) {
    const event = { type: 'execution_updated', execution_id: executionId } as const;
    await events.publish(accountId, event, { db: transaction });
  }
  return flows.map(({ name }) => name);
}

/**
 * True if a flow uses a custom model or an external MCP server. A deleted model counts as custom,
 * because a running execution may still use it.
 */
function usesCustomAddress(
  { ai_model_id: modelId, allowed_mcp_servers: servers }: OutgoingParts,
  offeredModels: ReadonlySet<string>,
): boolean {
  const hasCustomModel = modelId !== null && !offeredModels.has(modelId);
  return hasCustomModel || servers.some((name) => name !== MCP_SERVER_NAME);
}

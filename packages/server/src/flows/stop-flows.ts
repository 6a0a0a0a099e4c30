import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { requestStops, unendedDefinitions } from './executions/store.ts';
import { disableFlows, enabledDefinitions } from './store.ts';
import { writesUnapproved } from './write-permission.ts';

/**
 * Disables flows of an account, and stops their executions in all processes once the transaction
 * commits. Returns the names of the flows.
 *
 * `writing` limits this to flows and executions that may write without approval. Call it last in
 * the transaction.
 */
export async function stopFlows(
  transaction: Db,
  accountId: string,
  which: 'all' | 'writing',
  { events, now }: { events: Pick<Events<AccountEvent>, 'publish'>; now: () => Date },
): Promise<string[]> {
  const isMeant = ({ definition }: { definition: Parameters<typeof writesUnapproved>[0] }) =>
    which === 'all' || writesUnapproved(definition);
  const flows = (await enabledDefinitions(transaction, accountId)).filter(isMeant);
  await disableFlows(
    transaction,
    accountId,
    flows.map(({ id }) => id),
  );
  const executions = (await unendedDefinitions(transaction, accountId)).filter(isMeant);
  const ids = executions.map(({ id }) => id);
  for (const executionId of await requestStops(transaction, accountId, ids, now())) {
    const event = { type: 'execution_updated', execution_id: executionId } as const;
    await events.publish(accountId, event, { db: transaction });
  }
  return flows.map(({ name }) => name);
}

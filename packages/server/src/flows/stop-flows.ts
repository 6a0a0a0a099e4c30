import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { askToStopEach, unendedDefinitions } from './executions/store.ts';
import { disableFlows, enabledDefinitions } from './store.ts';
import { writesUnapproved } from './writes.ts';

/**
 * Switches off flows of an account, stops their executions once the transaction commits, wherever they run, and returns the
 * names of the flows. `writing` leaves out flows and executions that write nothing without approval. The last thing to do in
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
  for (const executionId of await askToStopEach(transaction, accountId, ids, now())) {
    const event = { type: 'execution_updated', execution_id: executionId } as const;
    await events.publish(accountId, event, { db: transaction });
  }
  return flows.map(({ name }) => name);
}

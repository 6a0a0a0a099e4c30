import type { Events } from '../platform/events.ts';
import type { AccountEvent } from '../platform/realtime/account-event.ts';
import type { Db } from '../schema/tables.ts';
import { askToStopAll } from './executions/store.ts';
import { disableAll } from './store.ts';

/**
 * Has no flow of an account start any more, and what runs end once the transaction is committed, wherever it runs. The last
 * thing to do in the transaction.
 */
export async function stopAllFlows(
  transaction: Db,
  accountId: string,
  { events, now }: { events: Pick<Events<AccountEvent>, 'publish'>; now: () => Date },
): Promise<void> {
  await disableAll(transaction, accountId);
  for (const executionId of await askToStopAll(transaction, accountId, now())) {
    const event = { type: 'execution_updated', execution_id: executionId } as const;
    await events.publish(accountId, event, { db: transaction });
  }
}

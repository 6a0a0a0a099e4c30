import type { Db } from '../schema/tables.ts';
import { askToStopAll } from './executions/store.ts';
import { disableAll } from './store.ts';

/** Has no flow of an account start any more, and what runs end at its next step. */
export async function stopAllFlows(db: Db, accountId: string, at: Date): Promise<void> {
  await disableAll(db, accountId);
  await askToStopAll(db, accountId, at);
}

import type { Db } from '../schema/tables.ts';
import { askToStopAll } from './executions/store.ts';

/** Has no flow of an account start any more, and what runs end at its next step. */
export async function stopAllFlows(db: Db, accountId: string, at: Date): Promise<void> {
  await db.updateTable('flow').set({ is_enabled: false }).where('account_id', '=', accountId).execute();
  await askToStopAll(db, accountId, at);
}

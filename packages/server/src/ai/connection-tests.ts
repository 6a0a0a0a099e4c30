import { conflict } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { findFailedTest, type TestedConnection } from './store.ts';

/**
 * Throws `conflict` if the last test of this connection failed. Thus a broken model cannot become
 * the default. Untested connections pass.
 */
export async function expectNoFailedTest(
  db: Db,
  accountId: string,
  connection: TestedConnection,
): Promise<void> {
  const detail = await findFailedTest(db, accountId, connection);
  if (detail === null) return;
  throw conflict(
    'ai_model_test_failed',
    `The last test of this model failed: ${detail} Test it again before you use it for reviews and scores.`,
  );
}

import { conflict } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { findFailedTest, type TestedConnection } from './store.ts';

/**
 * 409 when the last test of this connection failed: a model that is known not to answer never becomes the default. One that
 * was never tested may.
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

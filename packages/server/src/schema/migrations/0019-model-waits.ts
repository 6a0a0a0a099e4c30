import { type Kysely, sql } from 'kysely';

/**
 * Adds the time since when an execution waits for its language model. It releases its slot while
 * the model is down.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table flow_execution add column model_wait_since timestamptz`.execute(db);
}

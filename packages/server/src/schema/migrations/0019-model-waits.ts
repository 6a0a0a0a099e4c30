import { type Kysely, sql } from 'kysely';

/** Executions give their place back while their language model is down; this is the time since when one waits for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table flow_execution add column model_wait_since timestamptz`.execute(db);
}

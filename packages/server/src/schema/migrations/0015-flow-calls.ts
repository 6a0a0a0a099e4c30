import { type Kysely, sql } from 'kysely';

/** What becomes of the calls of an agent's turn is written down after each of them, without the conversation before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table flow_execution add column calls jsonb`.execute(db);
}

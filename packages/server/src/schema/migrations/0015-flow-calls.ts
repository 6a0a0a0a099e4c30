import { type Kysely, sql } from 'kysely';

/** Stores progress after each call of a turn, without the preceding conversation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table flow_execution add column calls jsonb`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Adds the plan change scheduled for the end of the paid period. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription add column pending_change jsonb`.execute(db);
}

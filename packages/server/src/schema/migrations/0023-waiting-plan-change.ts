import { type Kysely, sql } from 'kysely';

/** Adds the plan change that takes effect after its payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription add column waiting_change jsonb`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** What a subscription changes to once that is paid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription add column waiting_change jsonb`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** What a subscription changes to when what is paid has ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscription add column pending_change jsonb`.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Adds the time at which a flow was not started because its filters took too long. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table flow add column missed_at timestamptz, add column missed_on text`.execute(db);
}

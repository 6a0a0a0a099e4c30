import { type Kysely, sql } from 'kysely';

/** Drops the request count of API keys, since daily usage includes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_key drop column requests`.execute(db);
}

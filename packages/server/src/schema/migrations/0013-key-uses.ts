import { type Kysely, sql } from 'kysely';

/** How many requests a key has made is counted in one place, with what they asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_key drop column requests`.execute(db);
}

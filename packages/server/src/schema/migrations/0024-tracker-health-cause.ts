import { type Kysely, sql } from 'kysely';

/**
 * Adds why a tracker cannot be read, if the user can fix it: the console then offers to enter a new
 * token.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tracker add column health_cause text check (health_cause in ('token_refused'))
  `.execute(db);
}

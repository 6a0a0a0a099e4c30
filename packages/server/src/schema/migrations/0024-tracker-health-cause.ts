import { type Kysely, sql } from 'kysely';

/** Why a tracker cannot be read, where the user can fix it: the console offers to enter a new token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tracker add column health_cause text check (health_cause in ('token_refused'))
  `.execute(db);
}

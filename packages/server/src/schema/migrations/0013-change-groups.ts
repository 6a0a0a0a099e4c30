import { type Kysely, sql } from 'kysely';

/** Adds groups of steps that fail independently. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table change_step add column step_group integer not null default 0`.execute(db);
}

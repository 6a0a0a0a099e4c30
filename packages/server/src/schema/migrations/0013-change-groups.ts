import { type Kysely, sql } from 'kysely';

/** Adds groups to the steps of a change. A failed step stops only its own group. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table change_step add column step_group integer not null default 0`.execute(db);
}

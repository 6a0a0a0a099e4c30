import { type Kysely, sql } from 'kysely';

/** Stores with a model's verdict which model gave it, and what the built-in analyst said. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table verdict
      add column model_identifier text,
      add column built_in_decision text
        check (built_in_decision in ('duplicate', 'overlapping', 'unrelated', 'undecided'))
  `.execute(db);
}

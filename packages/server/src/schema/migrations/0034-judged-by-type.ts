import { type Kysely, sql } from 'kysely';

/**
 * Stores the type of actor that made a judgment, and the finer relation that the built-in analyst
 * found. Existing judgments count as those of people.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pair_judgment
      add column judged_by_type text not null default 'user'
        check (judged_by_type in ('user', 'api_key', 'flow'));
    alter table pair_judgment alter column judged_by_type drop default;
    alter table verdict
      add column built_in_relation text
        check (built_in_relation in ('same', 'likely_same', 'related', 'different', 'unclear'));
  `.execute(db);
}

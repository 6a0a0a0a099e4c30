import { type Kysely, sql } from 'kysely';

/** Adds columns that reveal whether a result matches the current texts, prompt and model. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table compliance_result
      add column judged_as bytea not null default '\\x',
      add column contents text[] not null default '{}',
      add column prompt_version integer;
    alter table compliance_result alter column judged_as drop default, alter column contents drop default;
  `.execute(db);
}

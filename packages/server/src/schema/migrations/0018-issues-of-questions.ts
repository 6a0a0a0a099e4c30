import { type Kysely, sql } from 'kysely';

/** Which issues a language model was asked about together, so that it is not asked about them again in other groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table dependency_question add column issue_ids uuid[] not null default '{}'`.execute(db);
}

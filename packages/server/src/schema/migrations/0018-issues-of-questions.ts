import { type Kysely, sql } from 'kysely';

/** Adds the issues of a request to a model, so that they are not sent again in other groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table dependency_question add column issue_ids uuid[] not null default '{}'`.execute(db);
}

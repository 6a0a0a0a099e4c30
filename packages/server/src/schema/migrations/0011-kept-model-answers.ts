import { type Kysely, sql } from 'kysely';

/**
 * What models answered about dependencies is kept with the question. What was answered before is asked again, and texts are
 * read again: less is concluded from titles.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from dependency_question;
    alter table dependency_question add column found jsonb,
      add check ((answered_at is null) = (found is null));
    insert into dependency_stale (account_id, issue_id) select account_id, id from issue on conflict do nothing;
  `.execute(db);
}

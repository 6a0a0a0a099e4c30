import { type Kysely, sql } from 'kysely';

/**
 * Stores responses of models about dependencies with the request. Discards earlier responses and
 * readings, since fewer dependencies are inferred from titles.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from dependency_question;
    alter table dependency_question add column found jsonb,
      add check ((answered_at is null) = (found is null));
    insert into dependency_stale (account_id, issue_id) select account_id, id from issue on conflict do nothing;
  `.execute(db);
}

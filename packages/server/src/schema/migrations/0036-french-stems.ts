import { type Kysely, sql } from 'kysely';

/**
 * Indexes all texts again for word search. Words with a French article have stems, and a text with
 * a log in another language has the stems of its prose.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into search_stale (account_id, id)
    select account_id, id from issue union all select account_id, id from comment
    on conflict do nothing
  `.execute(db);
}

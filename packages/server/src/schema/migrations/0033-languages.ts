import { type Kysely, sql } from 'kysely';

/**
 * Marks all texts and snapshots as outdated, because words of other languages than English have
 * other terms. They are indexed and compared again in the background.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into search_stale (account_id, id)
    select account_id, id from issue union all select account_id, id from comment
    on conflict do nothing
  `.execute(db);
  await sql`update analysis_state set fingerprint = '' where snapshot_version > 0`.execute(db);
}

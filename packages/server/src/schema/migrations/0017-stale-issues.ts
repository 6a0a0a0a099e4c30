import { type Kysely, sql } from 'kysely';

/** Finds outdated issues by id: the list is long while a large account is clustered first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index cluster_stale_issue on cluster_stale (account_id, issue_id)`.execute(db);
}

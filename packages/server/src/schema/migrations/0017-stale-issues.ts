import { type Kysely, sql } from 'kysely';

/**
 * Adds an index for finding outdated issues by id. The first clustering of a large account marks
 * very many issues as outdated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index cluster_stale_issue on cluster_stale (account_id, issue_id)`.execute(db);
}

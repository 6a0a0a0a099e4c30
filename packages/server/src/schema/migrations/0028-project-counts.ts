import { type Kysely, sql } from 'kysely';

/**
 * Adds the type of an issue to the index by project. The number of issues per project is then
 * counted from the index alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index issue_project_state;
    create index issue_project_state on issue (account_id, project_id, state) include (issue_type);
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/**
 * Stores the type of actor that decided about a change. It is unknown for earlier approvals. A
 * change that was started directly was decided by the one who asked for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table change
      add column decided_by_type text check (decided_by_type in ('user', 'api_key', 'flow'));
    update change set decided_by_type = actor_type where decided_at = created_at;
  `.execute(db);
}

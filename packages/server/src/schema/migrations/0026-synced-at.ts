import { type Kysely, sql } from 'kysely';

/** When the stored copy of an issue was last read from its tracker, alone or in a walk through its project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table issue add column synced_at timestamptz`.execute(db);
  await sql`alter table project add column issues_synced_at timestamptz`.execute(db);
}

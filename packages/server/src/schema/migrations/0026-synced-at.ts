import { type Kysely, sql } from 'kysely';

/** Adds the time a stored copy was last read, alone or with its project. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table issue add column synced_at timestamptz`.execute(db);
  await sql`alter table project add column issues_synced_at timestamptz`.execute(db);
}

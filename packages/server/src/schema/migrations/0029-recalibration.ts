import { type Kysely, sql } from 'kysely';

/**
 * Marks the snapshots of all accounts as outdated. The next analysis takes a new one and stores all
 * pairs again, with the current weights of the probability.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update analysis_state set fingerprint = '' where snapshot_version > 0`.execute(db);
}

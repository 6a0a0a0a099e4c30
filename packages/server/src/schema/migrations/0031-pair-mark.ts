import { type Kysely, sql } from 'kysely';

/** Adds the mark of an account: the minimum probability of pairs in its queue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table account add column pair_mark real check (pair_mark between 0 and 1)`.execute(db);
}

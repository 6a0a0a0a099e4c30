import { type Kysely, sql } from 'kysely';

/** A change that its caller named is asked for once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unique index change_named_once on change (account_id, actor_id, (payload ->> 'idempotency_key'))
      where payload ? 'idempotency_key';
  `.execute(db);
}

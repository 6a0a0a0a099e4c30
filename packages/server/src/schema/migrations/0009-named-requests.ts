import { type Kysely, sql } from 'kysely';

/** Adds idempotency keys of changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unique index change_named_once on change (account_id, actor_id, (payload ->> 'idempotency_key'))
      where payload ? 'idempotency_key';
  `.execute(db);
}

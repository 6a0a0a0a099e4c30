import { type Kysely, sql } from 'kysely';

/**
 * Creates a log of users' actions on the members of clusters, so that each action can be undone
 * exactly.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cluster_action (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      text text not null,
      at timestamptz not null,
      members jsonb not null,
      added jsonb not null,
      removed jsonb not null,
      primary key (account_id, id)
    )
  `.execute(db);
}

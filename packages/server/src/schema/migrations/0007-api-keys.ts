import { type Kysely, sql } from 'kysely';

/** Creates API keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_key (
      account_id uuid not null,
      id uuid not null,
      user_id uuid not null,
      name text not null,
      prefix text not null,
      key_hash bytea not null unique,
      scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'propose', 'write']),
      created_at timestamptz not null,
      expires_at timestamptz,
      last_used_at timestamptz,
      requests bigint not null default 0,
      primary key (account_id, id),
      foreign key (account_id, user_id) references app_user on delete cascade
    );
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Creates authenticator apps and recovery codes of users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table authenticator (
      account_id uuid not null,
      id uuid not null,
      user_id uuid not null,
      sealed_secret bytea not null,
      added_at timestamptz,
      last_step integer,
      primary key (account_id, id),
      unique (account_id, user_id),
      foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
    )
  `.execute(db);
  await sql`
    create table recovery_code (
      account_id uuid not null,
      user_id uuid not null,
      code_hash bytea not null,
      primary key (account_id, user_id, code_hash),
      foreign key (account_id, user_id) references app_user (account_id, id) on delete cascade
    )
  `.execute(db);
}

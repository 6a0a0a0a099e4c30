import { type Kysely, sql } from 'kysely';

/** Passkeys of users. A credential id belongs to one user of the installation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkey (
      account_id uuid not null,
      id uuid not null,
      user_id uuid not null,
      credential_id bytea not null unique,
      public_key bytea not null,
      sign_count bigint not null,
      transports text[] not null,
      name text not null,
      synced boolean not null,
      password_required boolean not null default false,
      created_at timestamptz not null,
      last_used_at timestamptz,
      primary key (account_id, id),
      foreign key (account_id, user_id) references app_user (account_id, id) on update cascade on delete cascade
    )
  `.execute(db);
  await sql`create index passkey_user on passkey (account_id, user_id)`.execute(db);
}

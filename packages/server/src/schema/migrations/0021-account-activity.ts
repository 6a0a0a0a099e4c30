import { type Kysely, sql } from 'kysely';

/** Creates devices and account events, and marks users whose address belongs to someone else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table app_user
      add column last_sign_in_at timestamptz,
      add column owner_confirmed_at timestamptz,
      add column email_taken boolean not null default false;
    update app_user set owner_confirmed_at = email_verified_at;
    drop index app_user_email;
    create unique index app_user_email on app_user (lower(email)) where not email_taken;

    alter table session
      add column address text,
      add column user_agent text,
      add column last_used_at timestamptz not null default now();
    create index session_created on session (created_at);

    create table device (
      account_id uuid not null,
      user_id uuid not null,
      token_hash bytea not null,
      address text not null,
      network text not null,
      user_agent text,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      primary key (account_id, user_id, token_hash),
      foreign key (account_id, user_id) references app_user on delete cascade
    );

    create table account_event (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      kind text not null,
      at timestamptz not null,
      address text,
      user_agent text,
      detail text,
      primary key (account_id, id)
    );
    create index account_event_newest on account_event (account_id, at desc, id);
    create index account_event_at on account_event (at);
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Creates accounts, users, sessions, API keys, limits on attempts, and demo requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account (
      id uuid primary key,
      created_at timestamptz not null default now(),
      leaving_at timestamptz,
      -- Minimum probability of the pairs in the queue.
      pair_mark real check (pair_mark between 0 and 1)
    );

    create table app_user (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      username text not null,
      email text not null,
      full_name text,
      password_hash text,
      state text not null check (state in ('active', 'pending')),
      email_verified_at timestamptz,
      created_at timestamptz not null default now(),
      last_sign_in_at timestamptz,
      owner_confirmed_at timestamptz,
      -- True if the address belongs to another user, who confirmed it.
      email_taken boolean not null default false,
      primary key (account_id, id)
    );
    create unique index app_user_username on app_user (lower(username));
    create unique index app_user_email on app_user (lower(email)) where not email_taken;
    create unique index app_user_id on app_user (id);

    create table session (
      account_id uuid not null,
      id uuid not null,
      user_id uuid not null,
      created_at timestamptz not null default now(),
      revoked_at timestamptz,
      address text,
      user_agent text,
      last_used_at timestamptz not null default now(),
      primary key (account_id, id),
      foreign key (account_id, user_id) references app_user on delete cascade
    );
    create index session_of_user on session (account_id, user_id) where revoked_at is null;
    create index session_created on session (created_at);

    create table refresh_token (
      token_hash bytea primary key,
      account_id uuid not null,
      session_id uuid not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      spent_at timestamptz,
      foreign key (account_id, session_id) references session on delete cascade
    );
    create index refresh_token_session on refresh_token (account_id, session_id);
    create index refresh_token_expiry on refresh_token (expires_at);

    create table one_time_token (
      account_id uuid not null,
      user_id uuid not null,
      purpose text not null check (purpose in ('onboarding', 'verify_email', 'reset_password')),
      token_hash bytea not null unique,
      expires_at timestamptz not null,
      primary key (account_id, user_id, purpose),
      foreign key (account_id, user_id) references app_user on delete cascade
    );

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

    create table attempt (
      id uuid primary key,
      subject bytea not null,
      counts_until timestamptz not null
    );
    create index attempt_subject on attempt (subject, counts_until);
    create index attempt_counts_until on attempt (counts_until);

    create table lead (
      id uuid primary key,
      name text not null,
      email text not null,
      role text not null,
      org text not null,
      headcount text not null,
      trackers text[] not null,
      comments text,
      source text not null,
      created_at timestamptz not null default now()
    );
    create index lead_newest on lead (created_at desc, id);

    create table usage_counter (
      account_id uuid not null references account on delete cascade,
      kind text not null,
      day date not null,
      count bigint not null,
      primary key (account_id, kind, day)
    );

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
      primary key (account_id, id),
      foreign key (account_id, user_id) references app_user on delete cascade
    );

    -- No foreign key: usage of revoked keys is retained.
    create table api_usage (
      account_id uuid not null references account on delete cascade,
      day date not null,
      key_id uuid not null,
      endpoint text not null,
      method text not null,
      key_name text,
      count bigint not null,
      errors bigint not null,
      latency integer[] not null,
      primary key (account_id, day, key_id, endpoint, method)
    );
    create index api_usage_age on api_usage (day);
  `.execute(db);
}

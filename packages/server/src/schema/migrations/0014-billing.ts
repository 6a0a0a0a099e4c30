import { type Kysely, sql } from 'kysely';

/** Who pays for what, how much of a plan is used, and who is leaving. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What Stripe said of an account when it was last asked.
    create table subscription (
      account_id uuid primary key references account on delete cascade,
      customer_id text not null unique,
      subscription_id text unique,
      plan_id text,
      "interval" text check ("interval" in ('month', 'year')),
      status text,
      current_period_start timestamptz,
      current_period_end timestamptz,
      cancel_at_period_end boolean not null default false,
      read_at timestamptz not null
    );

    create table custom_plan (
      id text primary key,
      account_id uuid not null references account on delete cascade,
      name text not null,
      price_monthly numeric(10, 2),
      price_annually numeric(10, 2),
      features jsonb not null,
      created_at timestamptz not null default now()
    );
    create index custom_plan_account on custom_plan (account_id);

    -- Events of Stripe that were carried out.
    create table stripe_event (
      id text primary key,
      received_at timestamptz not null
    );
    create index stripe_event_age on stripe_event (received_at);

    -- What was taken of a month's amount, which is at least what was counted. Until ahead_until some of it may be taken ahead.
    create table plan_usage (
      account_id uuid not null references account on delete cascade,
      kind text not null,
      month date not null,
      taken bigint not null default 0,
      ahead_until timestamptz not null default 'epoch',
      primary key (account_id, kind, month)
    );

    -- Where to read again what a plan's amount left out.
    alter table project
      add column left_out_since timestamptz,
      add column left_out_issues_cursor text,
      add column left_out_comments_cursor text;

    -- Rows of models that the operator's configuration offers hold neither their address nor their key.
    alter table ai_model add column is_offered boolean not null default false;

    alter table account add column leaving_at timestamptz;
  `.execute(db);
}

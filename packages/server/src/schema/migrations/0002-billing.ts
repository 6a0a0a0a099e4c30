import { type Kysely, sql } from 'kysely';

/** Creates subscriptions, custom plans and quotas. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Subscription of an account as last read from Stripe.
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
      read_at timestamptz not null,
      -- Change of plan at the end of the paid period.
      pending_change jsonb,
      -- Change of plan that takes effect after its payment.
      waiting_change jsonb
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

    -- Processed events of Stripe.
    create table stripe_event (
      id text primary key,
      received_at timestamptz not null
    );
    create index stripe_event_age on stripe_event (received_at);

    -- Quota taken in a month, at least as much as counted. Until ahead_until it may include reservations.
    create table plan_usage (
      account_id uuid not null references account on delete cascade,
      kind text not null,
      month date not null,
      taken bigint not null default 0,
      ahead_until timestamptz not null default 'epoch',
      primary key (account_id, kind, month)
    );
  `.execute(db);
}

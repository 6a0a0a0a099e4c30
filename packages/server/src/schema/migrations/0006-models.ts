import { type Kysely, sql } from 'kysely';

/** Creates language models, and the health, usage and statistics of their calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ai_model (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      name text not null,
      provider_name text not null check (provider_name in ('openai', 'anthropic', 'google', 'custom')),
      model_identifier text not null,
      api_url text not null,
      sealed_key bytea,
      is_default boolean not null,
      created_at timestamptz not null default now(),
      -- True for a model of the operator's configuration, which has its address and key.
      is_offered boolean not null default false,
      price_input double precision,
      price_output double precision,
      price_cached_input double precision,
      monthly_call_cap integer,
      monthly_cost_cap double precision,
      primary key (account_id, id),
      constraint ai_model_price check ((price_input is null) = (price_output is null))
    );
    create unique index ai_model_name on ai_model (account_id, lower(name));
    create unique index ai_model_default on ai_model (account_id) where is_default;

    -- Health and use have separate tables, since each call writes them.
    create table ai_model_health (
      account_id uuid not null,
      ai_model_id uuid not null,
      last_success_at timestamptz,
      last_failure_at timestamptz,
      last_failure text,
      counted_failure_at timestamptz,
      failures_in_row integer not null default 0,
      paused_at timestamptz,
      paused_until timestamptz,
      primary key (account_id, ai_model_id),
      foreign key (account_id, ai_model_id) references ai_model on delete cascade
    );

    create table ai_model_use (
      account_id uuid not null,
      ai_model_id uuid not null,
      period text not null check (period in ('month', 'hour_of_lists')),
      starts_at timestamptz not null,
      calls integer not null,
      cost double precision not null default 0,
      is_full boolean not null default false,
      primary key (account_id, ai_model_id, period),
      foreign key (account_id, ai_model_id) references ai_model on delete cascade
    );

    -- Failed tests are stored by connection, since their model may not be stored yet.
    create table ai_model_failed_test (
      account_id uuid not null references account on delete cascade,
      provider_name text not null,
      api_url text not null,
      model_identifier text not null,
      failed_at timestamptz not null,
      detail text not null,
      primary key (account_id, provider_name, api_url, model_identifier)
    );

    create table ai_call (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      at timestamptz not null,
      feature text not null,
      ai_model_id uuid,
      model_name text not null,
      provider_name text not null,
      model_identifier text not null,
      prompt text not null,
      answers integer not null,
      input_tokens integer,
      output_tokens integer,
      cost numeric(14, 6),
      duration_ms integer not null,
      outcome text not null,
      primary key (account_id, id)
    );
    create index ai_call_newest on ai_call (account_id, at desc);
    create index ai_call_age on ai_call (at);
  `.execute(db);
}

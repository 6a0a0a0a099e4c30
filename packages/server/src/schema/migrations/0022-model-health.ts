import { type Kysely, sql } from 'kysely';

/**
 * Adds prices, monthly caps and health of language models. Health and use have separate tables,
 * since each call writes them. A failed test is stored by connection, as its model may not be
 * stored yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ai_model
      add column price_input double precision,
      add column price_output double precision,
      add column price_cached_input double precision,
      add column monthly_call_cap integer,
      add column monthly_cost_cap double precision,
      add constraint ai_model_price check ((price_input is null) = (price_output is null))
  `.execute(db);
  await sql`
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
    )
  `.execute(db);
  await sql`
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
    )
  `.execute(db);
  await sql`
    create table ai_model_failed_test (
      account_id uuid not null references account on delete cascade,
      provider_name text not null,
      api_url text not null,
      model_identifier text not null,
      failed_at timestamptz not null,
      detail text not null,
      primary key (account_id, provider_name, api_url, model_identifier)
    )
  `.execute(db);
}

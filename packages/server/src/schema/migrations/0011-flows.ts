import { type Kysely, sql } from 'kysely';

/** Creates flows and their executions, and the MCP servers whose tools flows may use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mcp_server (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      name text not null,
      url text not null,
      auth_type text not null check (auth_type in ('none', 'bearer', 'header')),
      header_name text,
      sealed_secret bytea,
      status text not null default 'unknown' check (status in ('ok', 'error', 'unknown')),
      status_message text,
      tools jsonb not null default '[]',
      checked_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (account_id, id)
    );
    create unique index mcp_server_name on mcp_server (account_id, lower(name));

    -- No foreign keys to what a flow refers to: a flow whose tracker or project was deleted reports it.
    create table flow (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      name text not null,
      is_enabled boolean not null,
      tracker_id uuid,
      organization_id uuid,
      project_id uuid,
      event_type text,
      ai_model_id uuid,
      definition jsonb not null,
      started_for timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      -- When and why the flow was not started because its filters took too long.
      missed_at timestamptz,
      missed_on text,
      primary key (account_id, id)
    );
    create index flow_scheduled on flow (event_type) where is_enabled and event_type in ('every_day', 'every_week');
    create index flow_listening on flow (account_id, event_type) where is_enabled;

    create table flow_preset (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      definition jsonb not null,
      created_at timestamptz not null,
      primary key (account_id, id)
    );

    create table flow_execution (
      account_id uuid not null,
      id uuid not null,
      flow_id uuid not null,
      status text not null check (status in ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPED')),
      stop_asked boolean not null default false,
      attempts integer not null default 0,
      log_entries integer not null default 0,
      definition jsonb not null,
      trigger_event jsonb not null,
      issue_id uuid,
      project_id uuid,
      dry_run boolean not null,
      ai_model_name text,
      state jsonb,
      result text,
      error_message text,
      actions jsonb not null default '[]',
      change_ids uuid[] not null default '{}',
      tool_calls_count integer not null default 0,
      budget_used numeric not null default 0,
      input_tokens bigint not null default 0,
      output_tokens bigint not null default 0,
      iterations integer not null default 0,
      retry_of uuid,
      created_at timestamptz not null,
      start_time timestamptz,
      end_time timestamptz,
      -- Progress after each call of a turn, without the preceding conversation.
      calls jsonb,
      -- Waits for its language model since then, and occupies no slot meanwhile.
      model_wait_since timestamptz,
      primary key (account_id, id),
      check ((end_time is null) = (status in ('PENDING', 'RUNNING'))),
      foreign key (account_id, flow_id) references flow on delete cascade
    );
    create index flow_execution_newest on flow_execution (account_id, created_at desc, id);
    create index flow_execution_of_flow on flow_execution (account_id, flow_id, created_at desc, id);
    create index flow_execution_waiting on flow_execution (account_id, flow_id, issue_id) where status = 'PENDING';
    create index flow_execution_age on flow_execution (created_at);

    -- An event starts a flow at most once; several may share an execution.
    create table flow_event (
      account_id uuid not null,
      flow_id uuid not null,
      event_id bigint not null,
      execution_id uuid not null,
      primary key (account_id, flow_id, event_id),
      foreign key (account_id, flow_id) references flow on delete cascade,
      foreign key (account_id, execution_id) references flow_execution on delete cascade
    );
    create index flow_event_execution on flow_event (account_id, execution_id);

    create table flow_log (
      account_id uuid not null,
      execution_id uuid not null,
      seq integer not null,
      at timestamptz not null,
      type text not null,
      payload jsonb not null,
      primary key (account_id, execution_id, seq),
      foreign key (account_id, execution_id) references flow_execution on delete cascade
    );
  `.execute(db);
}

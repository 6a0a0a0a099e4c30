import { type Kysely, sql } from 'kysely';

/** Creates the prompts, results and runs of compliance scoring. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table compliance_prompt (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      version integer not null,
      name text not null,
      short_name text not null,
      description text not null,
      criteria jsonb not null,
      created_at timestamptz not null default now(),
      primary key (account_id, id, version)
    );

    create table compliance_result (
      account_id uuid not null,
      id uuid not null,
      issue_id uuid not null,
      prompt_id text not null,
      asked_as bytea not null,
      asked_until timestamptz not null,
      has_failed boolean not null,
      factor real,
      findings jsonb,
      ai_model_id uuid,
      ai_model_name text,
      evaluated_at timestamptz,
      -- Reveal whether the result matches the current texts, prompt and model.
      judged_as bytea not null,
      contents text[] not null,
      prompt_version integer,
      primary key (account_id, id),
      unique (account_id, issue_id, prompt_id, asked_as),
      check (num_nulls(factor, findings, ai_model_name, evaluated_at) in (0, 4)),
      foreign key (account_id, issue_id) references issue on delete cascade
    );
    create index compliance_result_newest on compliance_result (account_id, issue_id, prompt_id, evaluated_at desc)
      where evaluated_at is not null;

    create table compliance_suggestion (
      account_id uuid not null,
      issue_id uuid not null,
      prompt_id text not null,
      asked_as bytea not null,
      answer jsonb not null,
      ai_model_id uuid not null,
      at timestamptz not null,
      primary key (account_id, issue_id, prompt_id),
      foreign key (account_id, issue_id) references issue on delete cascade,
      foreign key (account_id, ai_model_id) references ai_model on delete cascade
    );
    create index compliance_suggestion_model on compliance_suggestion (account_id, ai_model_id);

    create table compliance_run (
      account_id uuid not null,
      id uuid not null,
      project_id uuid not null,
      prompt_id text not null,
      status text not null check (status in ('opened', 'closed', 'all')),
      ai_model_id uuid,
      calls_left integer not null,
      state text not null check (state in ('running', 'done', 'stopped', 'failed')),
      total integer not null,
      done integer not null default 0,
      after_id uuid,
      reason text,
      started_at timestamptz not null,
      ended_at timestamptz,
      primary key (account_id, id),
      check ((ended_at is null) = (state = 'running')),
      foreign key (account_id, project_id) references project on delete cascade
    );
    create unique index compliance_run_of_project on compliance_run (account_id, project_id, prompt_id)
      where state = 'running';
    create index compliance_run_newest on compliance_run (account_id, prompt_id, started_at desc);
  `.execute(db);
}

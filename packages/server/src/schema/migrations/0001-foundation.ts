import { type Kysely, sql } from 'kysely';

/**
 * Creates the tables for accounts, trackers, issues, pairs, the ledger of changes, and the sample
 * backlog.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account (
      id uuid primary key,
      created_at timestamptz not null default now()
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
      primary key (account_id, id)
    );
    create unique index app_user_username on app_user (lower(username));
    create unique index app_user_email on app_user (lower(email));
    create unique index app_user_id on app_user (id);

    create table session (
      account_id uuid not null,
      id uuid not null,
      user_id uuid not null,
      created_at timestamptz not null default now(),
      revoked_at timestamptz,
      primary key (account_id, id),
      foreign key (account_id, user_id) references app_user on delete cascade
    );
    create index session_of_user on session (account_id, user_id) where revoked_at is null;

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
  `.execute(db);

  await sql`
    create table tracker (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      name text not null,
      tracker_type text not null check (tracker_type in ('github', 'gitlab', 'jira', 'sample')),
      url text not null,
      username text,
      sealed_key bytea,
      is_active boolean not null default true,
      login text,
      health_status text not null default 'unknown'
        check (health_status in ('ok', 'warning', 'error', 'unknown')),
      health_message text,
      health_checked_at timestamptz,
      missing_permissions text[] not null default '{}',
      write_access text not null default 'unknown' check (write_access in ('unknown', 'works', 'refused')),
      write_refusal text check ((write_refusal is null) = (write_access <> 'refused')),
      sync_state text not null default 'idle' check (sync_state in ('idle', 'queued', 'running', 'failed')),
      sync_done integer,
      sync_total integer,
      sync_finished_at timestamptz,
      sync_error text,
      sync_failures integer not null default 0,
      sealed_webhook_secret bytea,
      webhook_secret_version integer not null default 1,
      sealed_former_webhook_secret bytea,
      webhook_secret_replaced_at timestamptz,
      webhook_state text not null default 'polling' check (webhook_state in ('active', 'polling', 'failed')),
      webhook_event_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      primary key (account_id, id)
    );
    create unique index tracker_id on tracker (id);
    create unique index tracker_name on tracker (account_id, lower(name));

    create table scope_rule (
      account_id uuid not null,
      id uuid not null,
      tracker_id uuid not null,
      position integer not null,
      rule_type text not null check (rule_type in ('INCLUDE', 'EXCLUDE')),
      scope_type text not null check (scope_type in ('ORGANIZATION', 'PROJECT')),
      identifier text not null,
      primary key (account_id, id),
      foreign key (account_id, tracker_id) references tracker on delete cascade
    );
    create index scope_rule_tracker on scope_rule (account_id, tracker_id, position);

    create table organization (
      account_id uuid not null,
      id uuid not null,
      tracker_id uuid not null,
      identifier text not null,
      name text not null,
      primary key (account_id, id),
      unique (account_id, tracker_id, identifier),
      foreign key (account_id, tracker_id) references tracker on delete cascade
    );

    create table project (
      account_id uuid not null,
      id uuid not null,
      tracker_id uuid not null,
      organization_id uuid not null,
      external_id text not null,
      identifier text not null,
      name text not null,
      issues_cursor text,
      comments_cursor text,
      comments_as_of text,
      reconcile_after timestamptz,
      present_cursor text,
      count_surplus integer not null default 0,
      gone_since timestamptz,
      created_at timestamptz not null default now(),
      primary key (account_id, id),
      unique (account_id, tracker_id, external_id),
      foreign key (account_id, tracker_id) references tracker on delete cascade,
      foreign key (account_id, organization_id) references organization on delete cascade
    );

    create table project_webhook (
      account_id uuid not null,
      tracker_id uuid not null,
      project_external_id text not null,
      project_identifier text not null,
      state text not null check (state in ('registered', 'refused', 'failed')),
      url text not null,
      tracker_url text not null,
      hook_id text check ((hook_id is null) = (state <> 'registered')),
      credentials_hash bytea not null,
      secret_version integer not null,
      problem text,
      checked_at timestamptz,
      missed_since timestamptz,
      is_silent boolean not null default false,
      primary key (account_id, tracker_id, project_external_id),
      foreign key (account_id, tracker_id) references tracker on delete cascade
    );

    create table webhook_delivery (
      account_id uuid not null,
      tracker_id uuid not null,
      delivery_id text not null,
      received_at timestamptz not null,
      primary key (account_id, tracker_id, delivery_id),
      foreign key (account_id, tracker_id) references tracker on delete cascade
    );
    create index webhook_delivery_age on webhook_delivery (received_at);

    create table tracker_event (
      account_id uuid not null,
      id bigint generated always as identity,
      project_id uuid not null,
      type text not null,
      issue_external_id text,
      comment_external_id text,
      actor text,
      happened_after timestamptz,
      occurred_at timestamptz not null,
      received_at timestamptz not null,
      source text not null check (source in ('webhook', 'polling')),
      details jsonb not null,
      step_id uuid,
      event_key text not null,
      deliveries integer not null default 1,
      handled_at timestamptz,
      primary key (account_id, id),
      unique (account_id, project_id, event_key),
      foreign key (account_id, project_id) references project on delete cascade
    );
    create index tracker_event_issue on tracker_event (account_id, project_id, issue_external_id, occurred_at);
    create index tracker_event_waiting on tracker_event (account_id, project_id, id) where handled_at is null;
    create index tracker_event_delivered on tracker_event (account_id, project_id, received_at) where source = 'webhook';
    create index tracker_event_age on tracker_event (received_at);

    create table issue (
      account_id uuid not null,
      id uuid not null,
      tracker_id uuid not null,
      project_id uuid not null,
      external_id text not null,
      key text not null,
      title text not null,
      description text not null,
      status text not null,
      state text not null check (state in ('opened', 'closed')),
      issue_type text not null,
      priority text,
      labels text[] not null,
      assignees text[] not null,
      author text,
      url text not null,
      parent_key text,
      is_duplicate boolean not null,
      duplicate_of text,
      comments_count integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      content_hash text not null,
      analyzed_hash text,
      revision bigint not null,
      missing_since timestamptz,
      primary key (account_id, id),
      unique (account_id, project_id, external_id),
      foreign key (account_id, project_id) references project on delete cascade
    );
    create index issue_key on issue (account_id, key);
    -- Optional: word search works without the extension, but slower. Some servers do not allow it.
    do $$ begin
      create extension if not exists pg_trgm;
      create index issue_words on issue using gin (title gin_trgm_ops, key gin_trgm_ops);
    exception when insufficient_privilege or undefined_file or feature_not_supported then
      raise notice 'Searches by words go without pg_trgm: %', sqlerrm;
    end $$;
    create index issue_project_state on issue (account_id, project_id, state);
    create index issue_tracker on issue (account_id, tracker_id);
    create index issue_revision on issue (account_id, revision);
    create index issue_missing on issue (account_id, project_id, missing_since) where missing_since is not null;

    create table present_item (
      account_id uuid not null,
      project_id uuid not null,
      external_id text not null,
      primary key (account_id, project_id, external_id),
      foreign key (account_id, project_id) references project on delete cascade
    );

    create table comment (
      account_id uuid not null,
      id uuid not null,
      issue_id uuid not null,
      external_id text not null,
      author text,
      body text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (account_id, id),
      unique (account_id, issue_id, external_id),
      foreign key (account_id, issue_id) references issue on delete cascade
    );

    create table issue_vector (
      account_id uuid not null,
      issue_id uuid not null,
      fingerprint text not null,
      text_hash bytea not null,
      vector bytea not null,
      primary key (account_id, issue_id),
      foreign key (account_id, issue_id) references issue on delete cascade
    );

    create table analysis_state (
      account_id uuid primary key references account on delete cascade,
      revision bigint not null default 0,
      snapshot_version integer not null default 0,
      snapshot bytea,
      fingerprint text,
      state text not null default 'idle' check (state in ('idle', 'analyzing')),
      done integer not null default 0,
      total integer not null default 0,
      notice text
    );

    create table pair (
      account_id uuid not null,
      id uuid not null,
      issue_a uuid not null,
      issue_b uuid not null,
      project_a uuid not null,
      project_b uuid not null,
      same_project boolean not null,
      both_open boolean not null,
      similarity real not null,
      snapshot_version integer not null,
      scored_at timestamptz not null,
      resolution text check (resolution in ('closed', 'merged', 'deconflicted', 'unrelated')),
      change_id uuid,
      dismissed boolean not null default false,
      undone boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (account_id, id),
      unique (account_id, issue_a, issue_b),
      check (issue_a < issue_b),
      foreign key (account_id, issue_a) references issue on delete cascade,
      foreign key (account_id, issue_b) references issue on delete cascade
    );
    create index pair_second on pair (account_id, issue_b);
    create index pair_by_similarity on pair (account_id, similarity desc, id)
      include (same_project, both_open, resolution, dismissed, undone);
    create index pair_by_project on pair (account_id, project_a, project_b, similarity desc, id)
      include (both_open, resolution, dismissed, undone);
    create index pair_dismissed on pair (account_id, similarity desc, id) where dismissed;
    create index pair_resolved on pair (account_id, similarity desc, id) where resolution is not null;

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
      primary key (account_id, id)
    );
    create unique index ai_model_name on ai_model (account_id, lower(name));
    create unique index ai_model_default on ai_model (account_id) where is_default;

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

    create table verdict (
      account_id uuid not null,
      issue_a uuid not null,
      issue_b uuid not null,
      asked_as bytea not null,
      asked_until timestamptz not null,
      has_failed boolean not null,
      decided_as bytea,
      decision text check (decision in ('duplicate', 'overlapping', 'unrelated', 'undecided')),
      confidence real,
      reason text,
      ai_model_id uuid,
      ai_model_name text,
      prompt text,
      decided_at timestamptz,
      primary key (account_id, issue_a, issue_b),
      check (issue_a < issue_b),
      check (num_nulls(decided_as, decision, confidence, reason, ai_model_id, ai_model_name, prompt, decided_at) in (0, 8)),
      foreign key (account_id, issue_a) references issue on delete cascade,
      foreign key (account_id, issue_b) references issue on delete cascade,
      foreign key (account_id, ai_model_id) references ai_model on delete cascade
    );
    create index verdict_second on verdict (account_id, issue_b);

    create table suggestion (
      account_id uuid not null,
      issue_1 uuid not null,
      issue_2 uuid not null,
      prompt text not null,
      asked_as bytea not null,
      answer jsonb not null,
      ai_model_id uuid not null,
      at timestamptz not null,
      primary key (account_id, issue_1, issue_2, prompt),
      foreign key (account_id, issue_1) references issue on delete cascade,
      foreign key (account_id, issue_2) references issue on delete cascade,
      foreign key (account_id, ai_model_id) references ai_model on delete cascade
    );
    create index suggestion_second on suggestion (account_id, issue_2);
    create index verdict_model on verdict (account_id, ai_model_id);
  `.execute(db);

  await sql`
    create table change (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      kind text not null,
      status text not null,
      title text not null,
      rationale text,
      confidence real,
      actor_type text not null check (actor_type in ('user', 'api_key', 'flow')),
      actor_id uuid not null,
      actor_name text not null,
      decided_by text,
      payload jsonb not null,
      base_hashes jsonb not null,
      undoes uuid,
      created_at timestamptz not null default now(),
      decided_at timestamptz,
      retried_by text,
      applied_at timestamptz,
      primary key (account_id, id),
      foreign key (account_id, undoes) references change
    );
    create index change_proposed on change (account_id, kind) where status = 'proposed';
    create index change_newest on change (account_id, created_at desc, id);
    create unique index change_undone_once on change (account_id, undoes)
      where undoes is not null and status not in ('failed', 'rejected');

    create table change_issue (
      account_id uuid not null,
      change_id uuid not null,
      issue_id uuid not null,
      key text not null,
      position integer not null,
      primary key (account_id, change_id, issue_id),
      foreign key (account_id, change_id) references change on delete cascade
    );
    create index change_issue_issue on change_issue (account_id, issue_id);

    create table change_step (
      account_id uuid not null,
      id uuid not null,
      change_id uuid not null,
      position integer not null,
      action text not null,
      target_issue_id uuid not null,
      target_key text not null,
      before jsonb not null,
      after jsonb not null,
      result jsonb not null default '{}',
      status text not null check (status in ('pending', 'applying', 'applied', 'failed', 'skipped', 'undone')),
      error text,
      applied_at timestamptz,
      primary key (account_id, id),
      unique (account_id, change_id, position),
      foreign key (account_id, change_id) references change on delete cascade
    );

    create table sample_issue (
      account_id uuid not null,
      tracker_id uuid not null,
      project_identifier text not null,
      number integer not null,
      title text not null,
      body text not null,
      state text not null check (state in ('open', 'closed')),
      state_reason text,
      duplicate_of text,
      closed_at timestamptz check ((closed_at is null) = (state = 'open')),
      issue_type text not null,
      priority text,
      labels text[] not null,
      author text not null,
      assignees text[] not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (account_id, tracker_id, project_identifier, number),
      foreign key (account_id, tracker_id) references tracker on delete cascade
    );

    create table sample_comment (
      account_id uuid not null,
      tracker_id uuid not null,
      id uuid not null,
      project_identifier text not null,
      number integer not null,
      author text not null,
      body text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (account_id, tracker_id, id),
      foreign key (account_id, tracker_id, project_identifier, number) references sample_issue on delete cascade
    );

    create table sample_link (
      account_id uuid not null,
      tracker_id uuid not null,
      blocker_project text not null,
      blocker_number integer not null,
      blocked_project text not null,
      blocked_number integer not null,
      primary key (account_id, tracker_id, blocker_project, blocker_number, blocked_project, blocked_number),
      foreign key (account_id, tracker_id, blocker_project, blocker_number) references sample_issue on delete cascade,
      foreign key (account_id, tracker_id, blocked_project, blocked_number) references sample_issue on delete cascade
    );
    create index sample_link_blocked on sample_link (account_id, tracker_id, blocked_project, blocked_number);
  `.execute(db);
}

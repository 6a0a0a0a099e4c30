import { type Kysely, sql } from 'kysely';

/**
 * Creates trackers with their projects, webhooks and events, and the tables of the sample backlog.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      -- Why the tracker cannot be read, if the user can fix it.
      health_cause text check (health_cause in ('token_refused')),
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
      -- Cursor for reading issues that the quota left out.
      left_out_since timestamptz,
      left_out_issues_cursor text,
      left_out_comments_cursor text,
      issues_synced_at timestamptz,
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
      matched_at timestamptz,
      known_standing text,
      primary key (account_id, id),
      unique (account_id, project_id, event_key),
      foreign key (account_id, project_id) references project on delete cascade
    );
    create index tracker_event_issue on tracker_event (account_id, project_id, issue_external_id, occurred_at);
    create index tracker_event_waiting on tracker_event (account_id, project_id, id) where handled_at is null;
    create index tracker_event_delivered on tracker_event (account_id, project_id, received_at) where source = 'webhook';
    create index tracker_event_age on tracker_event (received_at);
    create index tracker_event_unmatched on tracker_event (account_id, id)
      where matched_at is null and handled_at is not null;

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

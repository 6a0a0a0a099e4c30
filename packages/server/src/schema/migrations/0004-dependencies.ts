import { type Kysely, sql } from 'kysely';

/** Creates dependencies and their origins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dependency (
      account_id uuid not null,
      source_issue uuid not null,
      dependent_issue uuid not null,
      reason text,
      confidence real,
      found_by text,
      in_tracker boolean not null default false,
      change_id uuid,
      dismissed boolean not null default false,
      undone boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (account_id, source_issue, dependent_issue),
      check (source_issue <> dependent_issue),
      check (num_nulls(reason, confidence, found_by) in (0, 3)),
      foreign key (account_id, source_issue) references issue on delete cascade,
      foreign key (account_id, dependent_issue) references issue on delete cascade
    );
    create index dependency_dependent on dependency (account_id, dependent_issue);

    create table issue_links_read (
      account_id uuid not null,
      issue_id uuid not null,
      read_at timestamptz not null,
      primary key (account_id, issue_id),
      foreign key (account_id, issue_id) references issue on delete cascade
    );

    create table dependency_question (
      account_id uuid not null references account on delete cascade,
      asked_as bytea not null,
      asked_until timestamptz not null,
      has_failed boolean not null,
      answered_at timestamptz,
      primary key (account_id, asked_as)
    );
  `.execute(db);
}

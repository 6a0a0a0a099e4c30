import { type Kysely, sql } from 'kysely';

/** What has to be finished before what, and from whom we know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dependency (
      account_id uuid not null,
      source_issue uuid not null,
      dependent_issue uuid not null,
      reason text,
      confidence real,
      in_tracker boolean not null default false,
      change_id uuid,
      dismissed boolean not null default false,
      undone boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (account_id, source_issue, dependent_issue),
      check (source_issue <> dependent_issue),
      check ((reason is null) = (confidence is null)),
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
  `.execute(db);
}

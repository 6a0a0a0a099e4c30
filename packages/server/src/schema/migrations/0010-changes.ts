import { type Kysely, sql } from 'kysely';

/** Creates the tables of the ledger, which records changes to issues. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      decided_by_type text check (decided_by_type in ('user', 'api_key', 'flow')),
      primary key (account_id, id),
      foreign key (account_id, undoes) references change
    );
    create index change_proposed on change (account_id, kind) where status = 'proposed';
    create index change_newest on change (account_id, created_at desc, id);
    create unique index change_undone_once on change (account_id, undoes)
      where undoes is not null and status not in ('failed', 'rejected');
    create unique index change_named_once on change (account_id, actor_id, (payload ->> 'idempotency_key'))
      where payload ? 'idempotency_key';
    -- Each tracker event checks whether we are currently writing to its issue.
    create index change_applying on change (account_id) where status = 'applying';

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
  `.execute(db);
}

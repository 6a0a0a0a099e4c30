import { type Kysely, sql } from 'kysely';

/**
 * Creates dependencies, the findings they come from, and the queue of issues whose texts must be
 * searched.
 */
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
      found jsonb,
      -- Issues of the request, which are not sent again in other groups.
      issue_ids uuid[] not null default '{}',
      primary key (account_id, asked_as),
      check ((answered_at is null) = (found is null))
    );

    -- No foreign key: deleted issues are skipped when processed. \`noted\` numbers the changes.
    create sequence dependency_noted;
    create table dependency_stale (
      account_id uuid not null,
      issue_id uuid not null,
      noted bigint not null default nextval('dependency_noted'),
      primary key (account_id, issue_id)
    );
    create function note_dependency_stale(account uuid, issue uuid) returns void language sql as $$
      insert into dependency_stale (account_id, issue_id) values (account, issue)
      on conflict (account_id, issue_id) do update set noted = excluded.noted
    $$;
    create function note_issue_dependencies() returns trigger language plpgsql as $$
    begin
      perform note_dependency_stale(new.account_id, new.id);
      return null;
    end $$;
    create function note_comment_dependencies() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        perform note_dependency_stale(old.account_id, old.issue_id);
      else
        perform note_dependency_stale(new.account_id, new.issue_id);
      end if;
      return null;
    end $$;
    create trigger issue_dependencies_new after insert on issue for each row execute function note_issue_dependencies();
    create trigger issue_dependencies_changed after update on issue for each row
      when (old.title is distinct from new.title or old.description is distinct from new.description
        or old.key is distinct from new.key or old.url is distinct from new.url
        or old.issue_type is distinct from new.issue_type)
      execute function note_issue_dependencies();
    create trigger comment_dependencies_new after insert or delete on comment for each row
      execute function note_comment_dependencies();
    create trigger comment_dependencies_changed after update on comment for each row
      when (old.body is distinct from new.body) execute function note_comment_dependencies();

    create table dependency_reading (
      account_id uuid not null,
      issue_id uuid not null,
      noted bigint not null,
      key text not null,
      missing text[] not null,
      texts jsonb not null,
      linked_with integer not null,
      primary key (account_id, issue_id),
      foreign key (account_id, issue_id) references issue on delete cascade
    );
    create index dependency_reading_missing on dependency_reading using gin (missing) where missing <> '{}';

    create table dependency_finding (
      account_id uuid not null,
      told_by uuid not null,
      source_issue uuid not null,
      dependent_issue uuid not null,
      is_implied boolean not null,
      reason text not null,
      confidence real not null,
      primary key (account_id, told_by, source_issue, dependent_issue, is_implied),
      foreign key (account_id, told_by) references issue on delete cascade,
      foreign key (account_id, source_issue) references issue on delete cascade,
      foreign key (account_id, dependent_issue) references issue on delete cascade
    );
    create index dependency_finding_pair on dependency_finding (account_id, source_issue, dependent_issue);
    create index dependency_finding_dependent on dependency_finding (account_id, dependent_issue);
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Creates readings of issue texts for dependencies, and scoring runs for whole projects. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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

    insert into dependency_stale (account_id, issue_id) select account_id, id from issue;

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

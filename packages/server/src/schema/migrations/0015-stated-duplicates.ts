import { type Kysely, sql } from 'kysely';

/**
 * Adds a table for duplicates that comments state. Marks existing comments to be searched for such
 * statements.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stated_duplicate (
      account_id uuid not null,
      issue_id uuid not null,
      position integer not null,
      original_id uuid,
      stated_by text not null,
      quote text not null,
      primary key (account_id, issue_id, position),
      foreign key (account_id, issue_id) references issue (account_id, id) on delete cascade,
      foreign key (account_id, original_id) references issue (account_id, id) on delete cascade
    );
    create index stated_duplicate_original on stated_duplicate (account_id, original_id);
    create index stated_duplicate_author on stated_duplicate (account_id, stated_by);
    create index issue_assignees on issue using gin (assignees);

    create function note_clusters_of_statement() returns trigger language plpgsql as $$
    declare
      stated stated_duplicate := coalesce(new, old);
    begin
      insert into cluster_stale (account_id, issue_id) values (stated.account_id, stated.issue_id);
      return null;
    end $$;
    create trigger stated_duplicate_clusters after insert or delete on stated_duplicate
      for each row execute function note_clusters_of_statement();

    -- Statements count while the issue is closed, and if their author is an assignee in the project.
    create function note_clusters_of_new_assignees() returns trigger language plpgsql as $$
    begin
      insert into cluster_stale (account_id, issue_id)
      select distinct stated.account_id, stated.issue_id
      from new_issue join stated_duplicate stated on stated.account_id = new_issue.account_id
        and stated.stated_by = any (new_issue.assignees);
      return null;
    end $$;
    create trigger issue_statements_new after insert on issue referencing new table as new_issue
      for each statement execute function note_clusters_of_new_assignees();

    create function note_clusters_of_statements() returns trigger language plpgsql as $$
    begin
      insert into cluster_stale (account_id, issue_id)
      select stated.account_id, stated.issue_id
      from new_issue join old_issue on old_issue.account_id = new_issue.account_id and old_issue.id = new_issue.id
      join stated_duplicate stated on stated.account_id = new_issue.account_id and stated.issue_id = new_issue.id
      where old_issue.state <> new_issue.state
      union
      select stated.account_id, stated.issue_id
      from new_issue join old_issue on old_issue.account_id = new_issue.account_id and old_issue.id = new_issue.id
      join stated_duplicate stated on stated.account_id = new_issue.account_id
        and stated.stated_by = any (new_issue.assignees || old_issue.assignees)
      where old_issue.assignees <> new_issue.assignees;
      return null;
    end $$;
    create trigger issue_statements_changed after update on issue
      referencing old table as old_issue new table as new_issue
      for each statement execute function note_clusters_of_statements();

    insert into dependency_stale (account_id, issue_id)
    select distinct account_id, issue_id from comment
    where body ~* '(dup|same (issue|bug|problem) as)'
    on conflict (account_id, issue_id) do update set noted = excluded.noted;
  `.execute(db);
}

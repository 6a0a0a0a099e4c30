import { type Kysely, sql } from 'kysely';

/**
 * Adds the columns that decide which issue of a cluster is canonical. For stored issues, they are
 * filled when the issue is next read from its tracker.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table issue
      add column reactions integer not null default 0,
      add column milestone text,
      add column is_locked boolean not null default false,
      add column is_completed boolean not null default false;

    create or replace function note_clusters_of_issues() returns trigger language plpgsql as $$
    begin
      insert into cluster_stale (account_id, issue_id)
      select new_issue.account_id, new_issue.id
      from new_issue join old_issue on old_issue.account_id = new_issue.account_id and old_issue.id = new_issue.id
      where (old_issue.content_hash, old_issue.is_duplicate, old_issue.duplicate_of, old_issue.reactions,
          old_issue.milestone, old_issue.is_locked, old_issue.is_completed)
        is distinct from (new_issue.content_hash, new_issue.is_duplicate, new_issue.duplicate_of,
          new_issue.reactions, new_issue.milestone, new_issue.is_locked, new_issue.is_completed);
      return null;
    end $$;
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Creates search terms of issues and comments, and the queue of items whose terms are outdated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_document (
      account_id uuid not null,
      id uuid not null,
      issue_id uuid not null,
      comment_id uuid,
      project_id uuid not null,
      item_type text not null check (item_type in ('issue', 'change_request', 'comment')),
      state text not null check (state in ('opened', 'closed')),
      created_at timestamptz not null,
      lead tsvector not null,
      words tsvector not null,
      primary key (account_id, id),
      check ((comment_id is not null) = (item_type = 'comment')),
      foreign key (account_id, issue_id) references issue on delete cascade,
      foreign key (account_id, comment_id) references comment on delete cascade
    ) with (toast_tuple_target = 1024);
    create index search_document_words on search_document using gin (words);
    create index search_document_newest on search_document (account_id, created_at desc, id);
    create index search_document_issue on search_document (account_id, issue_id);
    create index search_document_comment on search_document (account_id, comment_id) where comment_id is not null;

    -- No foreign key: deleted rows are skipped when processed.
    create table search_stale (
      account_id uuid not null,
      id uuid not null,
      primary key (account_id, id)
    );
    create function note_search_stale() returns trigger language plpgsql as $$
    begin
      insert into search_stale (account_id, id) values (new.account_id, new.id) on conflict do nothing;
      return null;
    end $$;
    create trigger issue_search_new after insert on issue for each row execute function note_search_stale();
    create trigger issue_search_changed after update on issue for each row
      when (old.title is distinct from new.title or old.description is distinct from new.description
        or old.state is distinct from new.state or old.issue_type is distinct from new.issue_type)
      execute function note_search_stale();
    create trigger comment_search_new after insert on comment for each row execute function note_search_stale();
    create trigger comment_search_changed after update on comment for each row
      when (old.body is distinct from new.body) execute function note_search_stale();
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Creates clusters of issues, and the queue of issues whose cluster is outdated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cluster (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      revision integer not null default 1,
      name text not null,
      given_name text,
      proposed_canonical uuid,
      canonical_reasons text[] not null,
      chosen_canonical uuid,
      status text not null default 'to_decide' check (status in ('to_decide', 'decided', 'dismissed')),
      decided_by text,
      decided_at timestamptz,
      probability float8 not null,
      weakest_probability float8,
      claimed_by uuid,
      claimed_name text,
      claimed_until timestamptz,
      ended_at timestamptz,
      last_members uuid[] not null default '{}',
      created_at timestamptz not null default now(),
      primary key (account_id, id)
    );
    create index cluster_last_members on cluster using gin (last_members) where ended_at is not null;

    create table cluster_member (
      account_id uuid not null,
      issue_id uuid not null,
      cluster_id uuid not null,
      primary key (account_id, issue_id),
      foreign key (account_id, issue_id) references issue (account_id, id) on delete cascade,
      foreign key (account_id, cluster_id) references cluster (account_id, id) on delete cascade
    );
    create index cluster_member_cluster on cluster_member (account_id, cluster_id);

    create index issue_duplicate_of on issue (account_id, tracker_id, duplicate_of)
      where duplicate_of is not null;

    create table cluster_override (
      account_id uuid not null references account on delete cascade,
      issue_a uuid not null,
      issue_b uuid not null,
      type text not null check (type in ('must', 'cannot')),
      decided_by text not null,
      decided_at timestamptz not null,
      primary key (account_id, issue_a, issue_b),
      foreign key (account_id, issue_a) references issue (account_id, id) on delete cascade,
      foreign key (account_id, issue_b) references issue (account_id, id) on delete cascade,
      check (issue_a < issue_b)
    );
    create index cluster_override_issue_b on cluster_override (account_id, issue_b);

    create table cluster_event (
      account_id uuid not null,
      id bigint generated always as identity,
      cluster_id uuid not null,
      type text not null,
      text text not null,
      by text,
      at timestamptz not null,
      primary key (account_id, id),
      foreign key (account_id, cluster_id) references cluster (account_id, id) on delete cascade
    );
    create index cluster_event_cluster on cluster_event (account_id, cluster_id, id);

    -- No foreign key: rows of deleted issues and accounts are skipped. Appended without a unique
    -- key, so that writers of pairs never wait for the clustering.
    create table cluster_stale (
      account_id uuid not null,
      id bigint generated always as identity,
      issue_id uuid not null,
      primary key (account_id, id)
    );

    -- Pairs below 0.1 never merge clusters, whose minimum average link is 0.12.
    create function note_clusters_of_pairs() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        insert into cluster_stale (account_id, issue_id)
        select distinct new_pair.account_id, issue.id
        from new_pair join old_pair on old_pair.account_id = new_pair.account_id and old_pair.id = new_pair.id
        cross join lateral (values (new_pair.issue_a), (new_pair.issue_b)) as issue (id)
        where (greatest(old_pair.probability, new_pair.probability) >= 0.1
            and abs(old_pair.probability - new_pair.probability) > 0.001)
          or (old_pair.resolution, old_pair.dismissed, old_pair.undone, old_pair.series_id)
            is distinct from (new_pair.resolution, new_pair.dismissed, new_pair.undone, new_pair.series_id);
      else
        insert into cluster_stale (account_id, issue_id)
        select distinct pair.account_id, issue.id
        from changed_pair as pair cross join lateral (values (pair.issue_a), (pair.issue_b)) as issue (id)
        where pair.probability >= 0.1 or pair.resolution is not null;
      end if;
      return null;
    end $$;
    create trigger pair_clusters_new after insert on pair referencing new table as changed_pair
      for each statement execute function note_clusters_of_pairs();
    create trigger pair_clusters_changed after update on pair
      referencing old table as old_pair new table as new_pair
      for each statement execute function note_clusters_of_pairs();
    create trigger pair_clusters_gone after delete on pair referencing old table as changed_pair
      for each statement execute function note_clusters_of_pairs();

    create function note_clusters_of_issues() returns trigger language plpgsql as $$
    begin
      insert into cluster_stale (account_id, issue_id)
      select new_issue.account_id, new_issue.id
      from new_issue join old_issue on old_issue.account_id = new_issue.account_id and old_issue.id = new_issue.id
      where (old_issue.content_hash, old_issue.is_duplicate, old_issue.duplicate_of)
        is distinct from (new_issue.content_hash, new_issue.is_duplicate, new_issue.duplicate_of);
      return null;
    end $$;
    create trigger issue_clusters_changed after update on issue
      referencing old table as old_issue new table as new_issue
      for each statement execute function note_clusters_of_issues();

    create function note_clusters_of_judgment() returns trigger language plpgsql as $$
    declare
      judged pair_judgment := coalesce(new, old);
    begin
      insert into cluster_stale (account_id, issue_id)
      values (judged.account_id, judged.issue_a), (judged.account_id, judged.issue_b);
      return null;
    end $$;
    create trigger pair_judgment_clusters after insert or update or delete on pair_judgment
      for each row execute function note_clusters_of_judgment();
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/**
 * Adds the probability that a pair is one issue, series, and closing times. Known pairs get a
 * probability from their similarity. Their issues count as not analyzed, so that the next analysis
 * replaces it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table issue add column closed_at timestamptz;
    update issue set closed_at = updated_at where state = 'closed';
    update issue set analyzed_hash = null;

    create table issue_series (
      account_id uuid not null references account on delete cascade,
      id uuid not null,
      key text not null,
      frame text not null,
      umbrella_key text,
      issues integer not null,
      dismissed boolean not null default false,
      created_at timestamptz not null default now(),
      primary key (account_id, id),
      unique (account_id, key)
    );

    alter table pair
      add column log_odds real not null default 0,
      add column probability real not null default 0,
      add column is_mutual_best boolean not null default false,
      add column standing text not null default 'settled' check (standing in ('both_open', 'repeats_closed', 'settled')),
      add column series_id uuid,
      add foreign key (account_id, series_id) references issue_series on delete set null (series_id);
    update pair
    set log_odds = 8 * similarity - 6, probability = 1 / (1 + exp(6 - 8 * similarity)),
        standing = case when both_open then 'both_open' else 'settled' end;
    create index pair_by_probability on pair (account_id, probability desc, id)
      include (similarity, same_project, standing, resolution, dismissed, undone, series_id);
    create index pair_by_project_and_probability on pair (account_id, project_a, project_b, probability desc, id)
      include (similarity, standing, resolution, dismissed, undone, series_id);
    create index pair_of_series on pair (account_id, series_id) where series_id is not null;
  `.execute(db);
}

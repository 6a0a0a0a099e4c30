import { type Kysely, sql } from 'kysely';

/** Creates pairs of issues, series, verdicts, suggested texts and judgments. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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

    create table pair (
      account_id uuid not null,
      id uuid not null,
      issue_a uuid not null,
      issue_b uuid not null,
      project_a uuid not null,
      project_b uuid not null,
      same_project boolean not null,
      both_open boolean not null,
      similarity real not null,
      snapshot_version integer not null,
      scored_at timestamptz not null,
      resolution text check (resolution in ('closed', 'merged', 'deconflicted', 'unrelated')),
      change_id uuid,
      dismissed boolean not null default false,
      undone boolean not null default false,
      created_at timestamptz not null default now(),
      log_odds real not null default 0,
      probability real not null default 0,
      is_mutual_best boolean not null default false,
      standing text not null default 'settled' check (standing in ('both_open', 'repeats_closed', 'settled')),
      series_id uuid,
      primary key (account_id, id),
      unique (account_id, issue_a, issue_b),
      check (issue_a < issue_b),
      foreign key (account_id, issue_a) references issue on delete cascade,
      foreign key (account_id, issue_b) references issue on delete cascade,
      foreign key (account_id, series_id) references issue_series on delete set null (series_id)
    );
    create index pair_second on pair (account_id, issue_b);
    create index pair_by_similarity on pair (account_id, similarity desc, id)
      include (same_project, both_open, resolution, dismissed, undone);
    create index pair_by_project on pair (account_id, project_a, project_b, similarity desc, id)
      include (both_open, resolution, dismissed, undone);
    create index pair_dismissed on pair (account_id, similarity desc, id) where dismissed;
    create index pair_resolved on pair (account_id, similarity desc, id) where resolution is not null;
    create index pair_by_probability on pair (account_id, probability desc, id)
      include (similarity, same_project, standing, resolution, dismissed, undone, series_id);
    create index pair_by_project_and_probability on pair (account_id, project_a, project_b, probability desc, id)
      include (similarity, standing, resolution, dismissed, undone, series_id);
    create index pair_of_series on pair (account_id, series_id) where series_id is not null;

    create table verdict (
      account_id uuid not null,
      issue_a uuid not null,
      issue_b uuid not null,
      asked_as bytea not null,
      asked_until timestamptz not null,
      has_failed boolean not null,
      decided_as bytea,
      decision text check (decision in ('duplicate', 'overlapping', 'unrelated', 'undecided')),
      confidence real,
      reason text,
      ai_model_id uuid,
      ai_model_name text,
      prompt text,
      decided_at timestamptz,
      model_identifier text,
      -- What the built-in analyst said, beside the verdict of a model.
      built_in_decision text check (built_in_decision in ('duplicate', 'overlapping', 'unrelated', 'undecided')),
      built_in_relation text
        check (built_in_relation in ('same', 'likely_same', 'related', 'different', 'unclear')),
      primary key (account_id, issue_a, issue_b),
      check (issue_a < issue_b),
      check (num_nulls(decided_as, decision, confidence, reason, ai_model_id, ai_model_name, prompt, decided_at) in (0, 8)),
      foreign key (account_id, issue_a) references issue on delete cascade,
      foreign key (account_id, issue_b) references issue on delete cascade,
      foreign key (account_id, ai_model_id) references ai_model on delete cascade
    );
    create index verdict_second on verdict (account_id, issue_b);
    create index verdict_model on verdict (account_id, ai_model_id);

    create table suggestion (
      account_id uuid not null,
      issue_1 uuid not null,
      issue_2 uuid not null,
      prompt text not null,
      asked_as bytea not null,
      answer jsonb not null,
      ai_model_id uuid not null,
      at timestamptz not null,
      primary key (account_id, issue_1, issue_2, prompt),
      foreign key (account_id, issue_1) references issue on delete cascade,
      foreign key (account_id, issue_2) references issue on delete cascade,
      foreign key (account_id, ai_model_id) references ai_model on delete cascade
    );
    create index suggestion_second on suggestion (account_id, issue_2);

    create table pair_judgment (
      account_id uuid not null references account on delete cascade,
      issue_a uuid not null,
      issue_b uuid not null,
      judgment text not null check (judgment in ('same', 'related', 'different')),
      judged_by text not null,
      judged_at timestamptz not null,
      judged_by_type text not null check (judged_by_type in ('user', 'api_key', 'flow')),
      primary key (account_id, issue_a, issue_b),
      foreign key (account_id, issue_a) references issue (account_id, id) on delete cascade,
      foreign key (account_id, issue_b) references issue (account_id, id) on delete cascade,
      check (issue_a < issue_b)
    );
    create index pair_judgment_issue_b on pair_judgment (account_id, issue_b);

    create table pair_calibration (
      account_id uuid primary key references account on delete cascade,
      slope float8 not null,
      "offset" float8 not null,
      judged integer not null,
      fitted integer not null,
      held_back integer not null,
      loss_before float8 not null,
      loss_after float8 not null,
      fitted_at timestamptz not null,
      is_applied boolean not null
    );
  `.execute(db);
}

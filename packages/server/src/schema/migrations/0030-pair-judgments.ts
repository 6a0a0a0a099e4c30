import { type Kysely, sql } from 'kysely';

/** Adds what people say about pairs, and the calibration fitted to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table pair_judgment (
      account_id uuid not null references account on delete cascade,
      issue_a uuid not null,
      issue_b uuid not null,
      judgment text not null check (judgment in ('same', 'related', 'different')),
      judged_by text not null,
      judged_at timestamptz not null,
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

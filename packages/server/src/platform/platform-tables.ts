import { type Kysely, sql } from 'kysely';

/** Creates the tables of the platform. Those of the job queue exist already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Counts each account's live events, so that a listener can detect missed ones.
  await sql`
    create table event_sequence (
      account_id uuid primary key,
      last_sequence bigint not null
    )
  `.execute(db);

  // Fingerprint of the secret key that the database was first used with; see install-key.ts.
  await sql`
    create table install_key (
      only_one boolean primary key default true check (only_one),
      check_value bytea not null
    )
  `.execute(db);

  // A worker that polls just before a queue is released misses its jobs until the next poll. So
  // releasing a queue that has due jobs wakes a worker of any process.
  await sql`
    create function wake_worker_for_queue() returns trigger language plpgsql as $$
    begin
      if exists (
        select from graphile_worker._private_jobs
        where job_queue_id = new.id and is_available and run_at <= now()
      ) then
        perform pg_notify('jobs:insert', json_build_object('r', random(), 'count', 1)::text);
      end if;
      return null;
    end
    $$
  `.execute(db);
  await sql`
    create trigger wake_worker_for_queue after update of locked_by on graphile_worker._private_job_queues
    for each row when (old.locked_by is not null and new.locked_by is null)
    execute function wake_worker_for_queue()
  `.execute(db);
}

import { type Kysely, sql } from 'kysely';

/** Creates the tables of the platform. The job queue library creates its own tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Number of the latest live event per account. Listeners use it to detect missed events.
  await sql`
    create table event_sequence (
      account_id uuid primary key,
      last_sequence bigint not null
    )
  `.execute(db);

  // Value derived from the first master key used with the database; see install-key.ts.
  await sql`
    create table install_key (
      only_one boolean primary key default true check (only_one),
      check_value bytea not null
    )
  `.execute(db);

  // A worker that polls just before a queue is released does not get that queue's jobs until its
  // next poll. The trigger avoids this delay: releasing a queue with due jobs wakes a worker.
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

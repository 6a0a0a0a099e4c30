import { type Kysely, sql } from 'kysely';

/** What the platform keeps in the database beside the job queue's own tables, which are there already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Counts each account's live events, so that a listener can tell whether it missed one.
  await sql`
    create table event_sequence (
      account_id uuid primary key,
      last_sequence bigint not null
    )
  `.execute(db);

  // What tells another install key from the one the database was first used with; see install-key.ts.
  await sql`
    create table install_key (
      only_one boolean primary key default true check (only_one),
      check_value bytea not null
    )
  `.execute(db);

  // A worker that ends a job looks for the next one before its queue is free again, and then only when it polls.
  // So the queue itself wakes a worker, of whichever process, when it becomes free and has work that is due.
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

import type { Client } from 'pg';

const COLUMNS = ['identifier', 'payload', 'queue_name', 'run_at', 'max_attempts', 'key', 'priority'];

/**
 * Copies the waiting and running jobs as arguments of `add_job`, which enqueues them again at
 * restore. The tables of the job queue belong to a library and differ between its versions, so
 * their rows cannot be copied. Omits jobs that have no attempts left.
 */
export const JOBS = {
  name: 'waiting_jobs',
  columns: COLUMNS,
  copyOut: `copy (
    select identifier, payload, queue_name, run_at, job.max_attempts, key, priority
    from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = task_id
    left join graphile_worker._private_job_queues as queue on queue.id = job_queue_id
    where job.attempts < job.max_attempts or job.locked_at is not null
    order by job.id
  ) to stdout`,
  copyIn: `copy waiting_jobs (${COLUMNS.join(', ')}) from stdin`,
} as const;

/** Empties the job queue and creates the temporary table that {@link JOBS} is copied into. */
export async function prepareJobs(client: Client): Promise<void> {
  await client.query(`
    delete from graphile_worker._private_jobs;
    delete from graphile_worker._private_job_queues;
    create temporary table waiting_jobs (
      identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, key text, priority int
    ) on commit drop`);
}

/** Enqueues the jobs of the temporary table. */
export async function enqueueCopiedJobs(client: Client): Promise<void> {
  await client.query(`
    select graphile_worker.add_job(
      identifier, payload => payload, queue_name => queue_name, run_at => run_at, max_attempts => max_attempts,
      job_key => key, priority => priority
    ) from waiting_jobs`);
}

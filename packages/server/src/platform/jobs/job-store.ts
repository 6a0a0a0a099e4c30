import { type QueryExecutorProvider, sql } from 'kysely';

// Queries on the private tables of graphile-worker. They fit exactly the version in package.json.

/** A job that a worker has locked for itself in the queue. */
export interface TakenJob {
  readonly id: string;
  readonly identifier: string;
  readonly payload: unknown;
  /** Number of this attempt, starting at 1. */
  readonly attempts: number;
  readonly maxAttempts: number;
}

/**
 * Outcome of an attempt. Interrupted and postponed attempts do not count. The next attempt starts
 * after `pauseMs`. A postponed job then has priority over new jobs.
 */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string; readonly isForGood: boolean }
  | { readonly kind: 'interrupted'; readonly pauseMs: number }
  | { readonly kind: 'postponed'; readonly pauseMs: number };

/**
 * A kind of job that has as many running jobs as allowed for one value of a payload field, such as
 * one account.
 */
export interface ExhaustedShare {
  readonly identifier: string;
  readonly field: string;
  readonly value: string;
}

/**
 * Takes the next due job of these kinds for the worker, and locks the queue of the job. Returns
 * null if no job is due.
 *
 * Skips the jobs in `except`, which the worker is still processing. Also skips jobs whose payload
 * has a value in `exhausted`.
 */
export async function takeJob(
  db: QueryExecutorProvider,
  workerId: string,
  identifiers: readonly string[],
  except: readonly string[],
  exhausted: readonly ExhaustedShare[] = [],
): Promise<TakenJob | null> {
  const { rows } = await sql<TakenJob>`
    with next as (
      select id, job_queue_id from graphile_worker._private_jobs
      where is_available and run_at <= now() and id <> all(${except}::bigint[])
        and task_id in (select id from graphile_worker._private_tasks where identifier = any(${identifiers}::text[]))
        and not exists (
          select from unnest(
            ${exhausted.map(({ identifier }) => identifier)}::text[],
            ${exhausted.map(({ field }) => field)}::text[],
            ${exhausted.map(({ value }) => value)}::text[]
          ) as full_of (identifier, field, value)
          join graphile_worker._private_tasks as task on task.identifier = full_of.identifier
          where task.id = task_id and full_of.value = payload ->> full_of.field
        )
        and (job_queue_id is null or job_queue_id in (
          select id from graphile_worker._private_job_queues where is_available for update skip locked
        ))
      order by priority, run_at
      limit 1
      for update skip locked
    ), queue as (
      update graphile_worker._private_job_queues as queue set locked_by = ${workerId}, locked_at = now()
      from next where queue.id = next.job_queue_id
    )
    update graphile_worker._private_jobs as job
    set attempts = job.attempts + 1, locked_by = ${workerId}, locked_at = now()
    from next, graphile_worker._private_tasks as task
    where job.id = next.id and task.id = job.task_id
    returning job.id::text, task.identifier, job.payload, job.attempts::int, job.max_attempts::int as "maxAttempts"
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * Stores the outcome of a job and unlocks its queue. Does nothing if another worker has taken over
 * the job.
 */
export async function settleJob(
  db: QueryExecutorProvider,
  workerId: string,
  jobId: string,
  outcome: Outcome,
): Promise<void> {
  await sql`
    with job as (
      ${changeBy(outcome)} where id = ${jobId}::bigint and locked_by = ${workerId}
      returning job_queue_id
    )
    update graphile_worker._private_job_queues as queue set locked_by = null, locked_at = null
    from job where queue.id = job.job_queue_id and queue.locked_by = ${workerId}
  `.execute(db);
}

/** Releases all jobs of the worker except those in `jobIds`, as if they had never started. */
export async function releaseAllExcept(
  db: QueryExecutorProvider,
  workerId: string,
  jobIds: readonly string[],
): Promise<void> {
  await sql`
    with job as (
      ${changeBy({ kind: 'interrupted', pauseMs: 0 })}
      where locked_by = ${workerId} and id <> all(${jobIds}::bigint[])
      returning job_queue_id
    )
    update graphile_worker._private_job_queues as queue set locked_by = null, locked_at = null
    from job where queue.id = job.job_queue_id and queue.locked_by = ${workerId}
  `.execute(db);
}

/** Returns the ids of the jobs that the queue assigns to this worker. */
export async function findJobsOf(db: QueryExecutorProvider, workerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker._private_jobs where locked_by = ${workerId}
  `.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Releases the jobs of these workers, so that they are retried immediately. A job without attempts
 * left is not retried and stores an error message. Returns the number of jobs.
 */
export async function releaseWorkers(
  db: QueryExecutorProvider,
  workerIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ released: number }>`
    with job as (
      update graphile_worker._private_jobs
      set locked_at = null, locked_by = null,
        last_error = case
          when attempts < max_attempts then last_error
          else 'The process that ran this job ended before it did.'
        end
      where locked_by = any(${workerIds}::text[])
      returning id
    ), queue as (
      update graphile_worker._private_job_queues set locked_at = null, locked_by = null
      where locked_by = any(${workerIds}::text[])
    ), wake as (
      select pg_notify('jobs:insert', json_build_object('r', random(), 'count', count(*))::text) from job
    )
    select count(job.id) as released from job left join wake on true
  `.execute(db);
  return Number(rows[0]?.released ?? 0);
}

/** Counts the waiting jobs by kind, without the kinds in `identifiers`. */
export async function countOthers(
  db: QueryExecutorProvider,
  identifiers: readonly string[],
): Promise<{ job: string; waiting: number }[]> {
  const { rows } = await sql<{ job: string; waiting: number }>`
    select task_identifier as job, count(*) as waiting from graphile_worker.jobs
    where attempts < max_attempts and task_identifier <> all(${identifiers}::text[])
    group by task_identifier
  `.execute(db);
  return rows;
}

function changeBy(outcome: Outcome) {
  if (outcome.kind === 'done') return sql`delete from graphile_worker._private_jobs`;
  const free = sql`update graphile_worker._private_jobs set locked_at = null, locked_by = null`;
  if (outcome.kind === 'interrupted' || outcome.kind === 'postponed') {
    return sql`${free}, attempts = greatest(attempts - 1, 0), last_error = null,
      priority = case when ${outcome.kind === 'postponed'} then -1 else priority end,
      run_at = now() + ${outcome.pauseMs} * interval '1 millisecond'`;
  }
  // A null character, which PostgreSQL cannot store in text.
  const reason = outcome.reason.replaceAll('\u0000', '');
  return sql`${free}, last_error = ${reason},
    run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second',
    max_attempts = case when ${outcome.isForGood} then attempts else max_attempts end`;
}

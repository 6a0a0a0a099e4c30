import { type QueryExecutorProvider, sql } from 'kysely';
import type { PoolConfig } from 'pg';
import type { z } from 'zod';
import type { Log } from '../log.ts';
import type { HandledJob, JobDefinition } from './job.ts';
import { JobWorker } from './job-worker.ts';

export interface EnqueueOptions {
  /**
   * Merges waiting jobs with the same key. Enqueueing replaces the payload of a waiting job and
   * resets its attempts.
   *
   * A running job is not changed. A new job is added after it, and the running job is not retried
   * if it fails. So some run always starts after `enqueue` and reads all data written before. The
   * new run waits for the running one only if both have the same `queue`.
   */
  readonly key?: string;
  /**
   * Jobs of one queue run one after another, over all processes, in the order in which they become
   * due. Queues are never deleted, so use few names, such as one per tracker or account.
   */
  readonly queue?: string;
  /**
   * Earliest start. A waiting job with the same key keeps its own start time, so that repeated
   * calls cannot delay it forever.
   */
  readonly runAt?: Date;
  /**
   * If true, and a job with the same key is waiting or running, adds nothing and returns the id of
   * that job.
   */
  readonly onlyIfNone?: boolean;
  /**
   * Transaction in which the job is added. If the transaction rolls back, the job does not exist.
   */
  readonly db?: QueryExecutorProvider;
}

export interface JobsOptions {
  /** Database for enqueueing, unless {@link EnqueueOptions.db} is set. */
  readonly db: QueryExecutorProvider;
  /**
   * Parameters of the worker's own connections. A connection string is passed as `{
   * connectionString }`.
   */
  readonly connection: PoolConfig;
  readonly log: Log;
  /**
   * True if no other process uses this database. The jobs of other workers are then released at
   * start, without a grace period.
   */
  readonly exclusive: boolean;
}

/**
 * Maximum attempts to enqueue a job. An attempt fails only if a worker takes the waiting job with
 * the same key at that moment.
 */
const MAX_ENQUEUE_ATTEMPTS = 20;

/** Persistent job queue. Jobs run in the background, at least once. */
export class Jobs {
  readonly #options: JobsOptions;
  #worker: JobWorker | null = null;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /**
   * Adds a job and wakes a worker when the transaction commits. Returns the id of the job. Throws
   * if the payload is invalid.
   */
  async enqueue<Schema extends z.ZodObject>(
    job: JobDefinition<Schema>,
    payload: z.input<Schema>,
    options: EnqueueOptions = {},
  ): Promise<string> {
    job.payload.parse(payload);
    const { db = this.#options.db, key } = options;
    const other = options.onlyIfNone && key !== undefined ? await findPending(db, key) : null;
    if (other !== null) return other;
    const adding = sql<{ id: string | null }>`
      select id::text from graphile_worker.add_job(
        ${job.identifier}::text,
        payload => ${JSON.stringify(payload)}::json,
        queue_name => ${options.queue ?? null}::text,
        run_at => ${options.runAt ?? null}::timestamptz,
        max_attempts => ${job.maxAttempts}::int,
        job_key => ${key ?? null}::text,
        job_key_mode => ${options.runAt === undefined ? 'replace' : 'preserve_run_at'}::text
      )
    `;
    // `add_job` works in two steps. If a worker takes the waiting job with this key in between,
    // nothing is added. The next attempt adds a new job beside the running one.
    for (let tries = 0; tries < MAX_ENQUEUE_ATTEMPTS; tries += 1) {
      const id = (await adding.execute(db)).rows[0]?.id;
      if (typeof id === 'string') return id;
    }
    throw new Error(`The job ${job.identifier} was not added.`);
  }

  /**
   * Starts processing jobs, `concurrency` at a time. At most `maxLongJobs` of them are long. Jobs
   * with dedicated slots are additional. First releases the jobs of dead workers.
   *
   * Recovers from later outages automatically. Throws if the database is down, or if called twice.
   */
  async start(work: {
    handlers: readonly HandledJob[];
    concurrency: number;
    maxLongJobs?: number;
  }): Promise<void> {
    if (this.#worker !== null) throw new Error('The jobs were already started.');
    const { connection, log, exclusive } = this.#options;
    this.#worker = new JobWorker({ connection, log, exclusive, ...work });
    await this.#worker.start();
  }

  /**
   * Returns null if polling for jobs works or this process runs no jobs; else a sentence about the
   * problem.
   */
  problem(): string | null {
    return this.#worker?.problem() ?? null;
  }

  /**
   * Stops taking jobs. Waits a second for running jobs, then aborts them, and releases those that
   * still do not end. No job is lost, and no interrupted attempt counts. Does nothing if processing
   * was not started.
   */
  async stop(): Promise<void> {
    await this.#worker?.stop();
  }
}

/**
 * Returns the id of the waiting or running job with this key. Returns null if no job has this key.
 */
async function findPending(db: QueryExecutorProvider, key: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.jobs
    where key = ${key} and (locked_at is not null or attempts < max_attempts)
  `.execute(db);
  return rows[0]?.id ?? null;
}

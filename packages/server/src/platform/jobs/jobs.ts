import { type QueryExecutorProvider, sql } from 'kysely';
import type { PoolConfig } from 'pg';
import type { z } from 'zod';
import type { Log } from '../log.ts';
import type { HandledJob, JobDefinition } from './job.ts';
import { JobWorker } from './job-worker.ts';

export interface EnqueueOptions {
  /**
   * Jobs with the same key are merged: while one waits, another enqueue only replaces its payload
   * and resets its attempts. A running job is not changed, is not retried if it fails, and is
   * followed by a new one. So there is always a run that starts after `enqueue` and reads all data
   * written before. The new run waits for the running one only if both have the same `queue`.
   */
  readonly key?: string;
  /**
   * Jobs of one queue run sequentially over all processes, in the order they become due. Queues are
   * never deleted, so use few names, such as one per tracker or account.
   */
  readonly queue?: string;
  /**
   * Earliest start. A waiting job with the same key keeps its own, so repeated calls cannot delay
   * it forever.
   */
  readonly runAt?: Date;
  /**
   * If true, adds nothing while another job with the key waits or runs, and returns the id of that
   * job.
   */
  readonly onlyIfNone?: boolean;
  /** Transaction in which the job is added. The job exists only if it commits. */
  readonly db?: QueryExecutorProvider;
}

export interface JobsOptions {
  /** Used if {@link EnqueueOptions.db} is not given. */
  readonly db: QueryExecutorProvider;
  /** For the worker's own connections. Pass a connection string as `{ connectionString }`. */
  readonly connection: PoolConfig;
  readonly log: Log;
  /**
   * True if no other process uses this database: jobs of other workers are then released
   * immediately.
   */
  readonly exclusive: boolean;
}

/** Maximum enqueue attempts. An attempt fails only if a worker takes the keyed job in between. */
const MAX_ENQUEUE_ATTEMPTS = 20;

/** Persistent job queue. Jobs run in the background, at least once. */
export class Jobs {
  readonly #options: JobsOptions;
  #worker: JobWorker | null = null;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /**
   * Adds a job and wakes a worker after commit. Returns the job's id. Throws for an invalid
   * payload.
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
    // If a worker takes the job of this key between the two steps of `add_job`, nothing is added.
    // The next attempt adds a new job beside the running one.
    for (let tries = 0; tries < MAX_ENQUEUE_ATTEMPTS; tries += 1) {
      const id = (await adding.execute(db)).rows[0]?.id;
      if (typeof id === 'string') return id;
    }
    throw new Error(`The job ${job.identifier} was not added.`);
  }

  /**
   * Starts processing: `concurrency` jobs at a time, at most `maxLongJobs` long ones, plus those
   * with dedicated slots. First releases the jobs of dead workers. Recovers from later outages by
   * itself. Throws if the database is down now, or on a second call.
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
   * Returns null while jobs are polled or this process runs none; else a sentence about the
   * problem.
   */
  problem(): string | null {
    return this.#worker?.problem() ?? null;
  }

  /**
   * Stops taking jobs, waits a second for running ones, aborts them, and releases those that do not
   * end. Nothing is lost, and no attempt is counted. Does nothing if not started.
   */
  async stop(): Promise<void> {
    await this.#worker?.stop();
  }
}

/** Returns the id of the waiting or running job with a key; null if there is none. */
async function findPending(db: QueryExecutorProvider, key: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.jobs
    where key = ${key} and (locked_at is not null or attempts < max_attempts)
  `.execute(db);
  return rows[0]?.id ?? null;
}

import { type QueryExecutorProvider, sql } from 'kysely';
import type { PoolConfig } from 'pg';
import type { z } from 'zod';
import type { Log } from '../log.ts';
import type { HandledJob, JobDefinition } from './job.ts';
import { JobWorker } from './job-worker.ts';

export interface EnqueueOptions {
  /**
   * Jobs of one key coalesce: while one waits, another enqueue only replaces its payload and starts its attempts anew.
   * One that is running is left alone, will not be repeated if it fails, and a new one follows it. So whatever was
   * written before `enqueue` is seen by a run that begins after it. The new run waits for the running one only when both
   * are in one `queue`.
   */
  readonly key?: string;
  /**
   * Jobs of one queue run one after the other, over all processes, in the order they fall due. Queues are kept: name
   * them by few things (trackers, accounts).
   */
  readonly queue?: string;
  /** Not before this instant. A waiting job of the same key keeps its own, so repeated calls cannot put it off for ever. */
  readonly runAt?: Date;
  /** Adds nothing while another job of the key waits for its turn or runs, and answers that one's id. */
  readonly onlyIfNone?: boolean;
  /** The transaction this belongs to: the job exists when and only when it is committed. */
  readonly db?: QueryExecutorProvider;
}

export interface JobsOptions {
  /** Where jobs are written when {@link EnqueueOptions.db} is not given. */
  readonly db: QueryExecutorProvider;
  /** For the worker's own connections; a connection string comes as `{ connectionString }`. */
  readonly connection: PoolConfig;
  readonly log: Log;
  /** No other process works on this database: jobs of a worker without a sign of life are taken over at once. */
  readonly exclusive: boolean;
}

/** The most a job is tried to be added, each of which a worker can only thwart by taking another job of its key. */
const TRIES = 20;

/** The queue of the product: what must be done though nobody waits for it, kept in the database, done at least once. */
export class Jobs {
  readonly #options: JobsOptions;
  #worker: JobWorker | null = null;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Adds a job and wakes a worker once it is committed. Answers the job's id. Throws when the payload does not fit. */
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
    // A worker that takes the job of this key between the two steps of `add_job` leaves nothing to replace, and nothing is
    // added then: what is asked for now would not be seen to. Asked again, it is a job beside the one that runs.
    for (let tries = 0; tries < TRIES; tries += 1) {
      const id = (await adding.execute(db)).rows[0]?.id;
      if (typeof id === 'string') return id;
    }
    throw new Error(`The job ${job.identifier} was not added.`);
  }

  /**
   * Begins to work: `concurrency` jobs at a time, at most `longAtOnce` of them long ones, and beside them those with places
   * of their own; first those that dead workers had begun. Goes on by itself after the database was away. Throws when it is
   * away now, or when called twice.
   */
  async start(work: {
    handlers: readonly HandledJob[];
    concurrency: number;
    longAtOnce?: number;
  }): Promise<void> {
    if (this.#worker !== null) throw new Error('The jobs were already started.');
    const { connection, log, exclusive } = this.#options;
    this.#worker = new JobWorker({ connection, log, exclusive, ...work });
    await this.#worker.start();
  }

  /** Null while jobs are looked for as they should, or when this process does no jobs; else a sentence that says what is wrong. */
  problem(): string | null {
    return this.#worker?.problem() ?? null;
  }

  /**
   * Takes no more jobs, lets running ones finish for a second, then asks them to end, and gives back what has not ended
   * after some more: nothing is lost, and no attempt is counted for it. Does nothing when not started.
   */
  async stop(): Promise<void> {
    await this.#worker?.stop();
  }
}

/** The job of a key that waits for its turn or runs. */
async function findPending(db: QueryExecutorProvider, key: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.jobs
    where key = ${key} and (locked_at is not null or attempts < max_attempts)
  `.execute(db);
  return rows[0]?.id ?? null;
}

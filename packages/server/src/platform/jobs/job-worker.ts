import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { runTaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import { sql } from 'kysely';
import type { PoolConfig } from 'pg';
import { type Database, openDatabase } from '../database.ts';
import { graphileLogger } from '../graphile-logger.ts';
import type { Log } from '../log.ts';
import { DeadWorkers } from './dead-workers.ts';
import type { HandledJob } from './job.ts';
import { RunningJobs } from './running-jobs.ts';
import { releaseWorkers, WorkerLease } from './worker-lease.ts';

export interface JobWorkerOptions {
  readonly connection: PoolConfig;
  readonly log: Log;
  readonly exclusive: boolean;
  readonly handlers: readonly HandledJob[];
  readonly concurrency: number;
}

/** How soon a job that falls due by its time is noticed; new ones are noticed at once. */
const POLL_MS = 1_000;
const RESTART_PAUSE_MS = 500;
/** After the first, running jobs are asked to end; after the second, they are given back though they have not. */
const FINISH_MS = 1_000;
const ABORT_MS = 8_000;
/** How long a failing pool may take to end, and again when it is forced to. */
const STUCK_MS = 5_000;

/**
 * Runs jobs in this process. The work is done by a pool of graphile-worker, which ends itself when it cannot write down
 * that a job is done; this class starts it again, and frees what it had locked.
 */
export class JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #stopping = new AbortController();
  readonly #database: Database<unknown>;
  readonly #running: RunningJobs;
  readonly #lease: WorkerLease;
  readonly #deadWorkers: DeadWorkers;
  #pool: WorkerPool | null = null;
  /** Resolves when the current pool is given up. */
  #abandoned = Promise.withResolvers<Error>();
  #working: Promise<void> = Promise.resolve();

  constructor(options: JobWorkerOptions) {
    const { connection, log, exclusive, concurrency } = options;
    this.#options = options;
    // One connection listens for new jobs; the pool of graphile-worker needs one to spare.
    this.#database = openDatabase<unknown>(connection, { log, max: concurrency + 3 });
    this.#running = new RunningJobs({ db: this.#database.db, log });
    this.#deadWorkers = new DeadWorkers({
      db: this.#database.db,
      log,
      graceMs: exclusive ? 0 : undefined,
    });
    this.#lease = new WorkerLease({
      connection,
      log,
      onRegained: () => {
        const pool = this.#pool;
        if (pool !== null) void this.#running.abortThoseNotLockedBy(pool.id);
      },
    });
  }

  async start(): Promise<void> {
    await this.#lease.open();
    await this.#deadWorkers.release();
    await this.#warnOfUnhandled();
    this.#deadWorkers.watch(() => this.#pool?.id ?? null);
    this.#working = this.#work();
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return this.#working;
    this.#stopping.abort();
    await this.#deadWorkers.stop();
    if (this.#pool !== null) await this.#windDown(this.#pool);
    await this.#working;
    await this.#running.giveBackInterrupted();
    await this.#lease.close();
    await this.#database.close();
  }

  async #windDown(pool: WorkerPool): Promise<void> {
    const drained = ending(pool.gracefulShutdown('Winnow is stopping.'));
    if (await within(drained, FINISH_MS)) return;
    this.#running.interruptAll(new Error('Winnow is stopping.'));
    if (await within(drained, ABORT_MS)) return;
    this.#options.log.warn('Some jobs did not end when asked to; they are given back as they are.');
    await ending(pool.forcefulShutdown('Winnow is stopping.'));
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const pool = this.#startPool();
      this.#pool = pool;
      const failure = await Promise.race([ending(pool.promise), this.#abandoned.promise]);
      this.#pool = null;
      if (signal.aborted) return;
      // An abandoned pool may still have handlers running; what they had begun is begun again by the next pool.
      this.#running.interruptAll(new Error('The job worker is started again.'));
      this.#options.log.warn({ error: failure }, 'The job worker stopped; starting it again.');
      await pause(RESTART_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      await this.#untilReleased(pool.id);
    }
  }

  /** What a pool of ours had locked when it ended is free before the next one begins; waits for the database. */
  async #untilReleased(poolId: string): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await releaseWorkers(this.#database.db, [poolId]);
        return;
      } catch (error) {
        this.#options.log.debug({ error }, 'The jobs of the stopped worker cannot be given back yet.');
        await pause(RESTART_PAUSE_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #startPool(): WorkerPool {
    this.#abandoned = Promise.withResolvers<Error>();
    const { handlers, concurrency, log } = this.#options;
    const events: WorkerEvents = new EventEmitter();
    const lease = this.#lease;
    const pool = runTaskList(
      {
        concurrency,
        pollInterval: POLL_MS,
        noHandleSignals: true,
        logger: graphileLogger(log),
        events,
        preset: {
          plugins: [
            {
              name: 'winnow-worker-lease',
              version: '1.0.0',
              worker: {
                hooks: {
                  // Runs before a worker asks for its first job, so no job is ever locked without a lease.
                  startWorker: (_context, event) => lease.hold(event.worker.workerPool.id),
                },
              },
            },
          ],
          // Batches of whatever comes at once. Unbatched, a completion that fails is nobody's rejected promise.
          worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
        },
      },
      Object.fromEntries(handlers.map((handled) => [handled.identifier, this.#running.taskOf(handled)])),
      this.#database.pool,
    );
    this.#endWhenFirstFetchFails(pool, events);
    this.#abandonWhenStuck(pool, events);
    return pool;
  }

  /**
   * Before its first job graphile-worker asks for the ids of its tasks, and keeps even a failed answer for ever. So a pool
   * that fails before it ever fetched is ended, and the next one asks anew; later failures pass by themselves.
   */
  #endWhenFirstFetchFails(pool: WorkerPool, events: WorkerEvents): void {
    let hasFetched = false;
    const succeed = () => {
      hasFetched = true;
    };
    events.on('worker:getJob:empty', succeed);
    events.on('job:start', succeed);
    events.once('worker:getJob:error', () => {
      if (!hasFetched && !this.#stopping.signal.aborted) {
        void ending(pool.gracefulShutdown('The first fetch failed.'));
      }
    });
  }

  /**
   * graphile-worker ends itself when it cannot write down how a job ended; with several such jobs at once its end may
   * never come. Then it is ended by force, and left alone if that hangs too.
   */
  #abandonWhenStuck(pool: WorkerPool, events: WorkerEvents): void {
    const abandoned = this.#abandoned;
    const ended = ending(pool.promise).then(() => true);
    const isStuck = async () => !(await within(ended, STUCK_MS)) && !this.#stopping.signal.aborted;
    const waitAndSee = async () => {
      if (!(await isStuck())) return;
      void ending(pool.forcefulShutdown('The worker does not end by itself.'));
      if (await isStuck()) abandoned.resolve(new Error('The worker did not end.'));
    };
    const begin = () => {
      events.off('pool:fatalError', begin);
      events.off('pool:gracefulShutdown', begin);
      void waitAndSee();
    };
    events.on('pool:fatalError', begin);
    events.on('pool:gracefulShutdown', begin);
  }

  async #warnOfUnhandled(): Promise<void> {
    const known = this.#options.handlers.map((handled) => handled.identifier);
    const { rows } = await sql<{ job: string; waiting: number }>`
      select task_identifier as job, count(*) as waiting from graphile_worker.jobs
      where attempts < max_attempts and task_identifier <> all(${known}::text[])
      group by task_identifier
    `.execute(this.#database.db);
    for (const row of rows) this.#options.log.warn(row, 'Jobs wait that this Winnow has no handler for.');
  }
}

/** Resolves when the work ends, with the error if it failed. */
async function ending(work: unknown): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (error) {
    return error;
  }
}

async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const first = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return first;
}

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { type Database, openDatabase } from '../database.ts';
import { isConnectionError } from '../database-unavailable.ts';
import type { Log } from '../log.ts';
import { DeadWorkers } from './dead-workers.ts';
import type { HandledJob, JobSlots } from './job.ts';
import {
  countOthers,
  type ExhaustedShare,
  findJobsOf,
  releaseAllExcept,
  settleJob,
  type TakenJob,
  takeJob,
} from './job-store.ts';
import { RunningJobs } from './running-jobs.ts';
import { WorkerLease } from './worker-lease.ts';

export interface JobWorkerOptions {
  readonly connection: PoolConfig;
  readonly log: Log;
  readonly exclusive: boolean;
  readonly handlers: readonly HandledJob[];
  /** Number of shared slots. They run all kinds of jobs that have no dedicated slots. */
  readonly concurrency: number;
  /** Maximum long jobs at a time in the shared slots. Default: all slots. */
  readonly maxLongJobs?: number | undefined;
  /** Returns the milliseconds of a monotonic clock. Tests set it. */
  readonly now?: (() => number) | undefined;
}

/** Interval of polling for jobs whose start time has come. New jobs wake the worker immediately. */
const POLL_MS = 1_000;
const RETRY_MS = 500;
/**
 * A worker with a free slot is reported as failing if its last successful poll is older than this.
 */
const MAX_POLL_DELAY_MS = 10_000;
/**
 * On stop, running jobs get `STOP_GRACE_MS` to finish. They are then aborted. If they still have
 * not ended after `ABORT_GRACE_MS`, they are released.
 */
const STOP_GRACE_MS = 1_000;
const ABORT_GRACE_MS = 8_000;
/**
 * Share of a kind's dedicated slots reserved for accounts that have no running job of that kind.
 */
const RESERVED_SHARE = 0.2;
/**
 * The pool has three connections: one polls for jobs, one stores outcomes, one checks for dead
 * workers.
 */
const POOL_CONNECTIONS = 3;

/**
 * Runs jobs in this process. A job occupies its slot until its outcome is stored, even during a
 * long database outage. So no finished job is repeated, and no job runs twice at the same time.
 */
export class JobWorker {
  readonly #id = `worker-${randomUUID()}`;
  readonly #log: Log;
  readonly #concurrency: number;
  readonly #maxLongJobs: number;
  readonly #handlers: readonly HandledJob[];
  readonly #now: () => number;
  readonly #database: Database<unknown>;
  readonly #running: RunningJobs;
  readonly #lease: WorkerLease;
  readonly #deadWorkers: DeadWorkers;
  readonly #stopping = new AbortController();
  readonly #works = new Set<Promise<void>>();
  #news = Promise.withResolvers<void>();
  #lookedAtMs: number;
  #looking: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | null = null;

  constructor(options: JobWorkerOptions) {
    const { connection, log, exclusive, handlers, concurrency, now = () => performance.now() } = options;
    this.#log = log;
    this.#concurrency = concurrency;
    this.#maxLongJobs = options.maxLongJobs ?? concurrency;
    this.#handlers = handlers;
    this.#now = now;
    this.#lookedAtMs = now();
    this.#database = openDatabase<unknown>(connection, { log, max: POOL_CONNECTIONS });
    this.#running = new RunningJobs({ log, handlers });
    this.#lease = new WorkerLease({
      connection,
      log,
      workerId: this.#id,
      onNews: () => this.#wake(),
      onRegained: () => {
        void this.#interruptLostJobs();
        this.#wake();
      },
    });
    this.#deadWorkers = new DeadWorkers({
      db: this.#database.db,
      log,
      own: this.#id,
      graceMs: exclusive ? 0 : undefined,
    });
  }

  async start(): Promise<void> {
    const { db } = this.#database;
    await this.#lease.open();
    await this.#deadWorkers.release();
    const identifiers = this.#handlers.map(({ identifier }) => identifier);
    for (const others of await countOthers(db, identifiers)) {
      this.#log.warn(others, 'Jobs are waiting that this version of Winnow has no handler for.');
    }
    this.#deadWorkers.watch();
    this.#lookedAtMs = this.#now();
    this.#looking = this.#pollUntilStopped();
  }

  /** Returns null while polling works, else a sentence about the problem. */
  problem(): string | null {
    const lateMs = this.#now() - this.#lookedAtMs;
    if (lateMs <= MAX_POLL_DELAY_MS || this.#wanted().length === 0) return null;
    return `The job worker has not polled for ${Math.round(lateMs / 1000)} seconds, so jobs wait. It retries by itself; the log has the reason.`;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#windDown();
    return this.#stopped;
  }

  async #windDown(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#deadWorkers.stop();
    const ended = Promise.all([this.#looking, ...this.#works]);
    if (!(await within(ended, STOP_GRACE_MS))) {
      this.#running.interruptAll(new Error('Winnow is stopping.'));
      if (!(await within(ended, ABORT_GRACE_MS))) {
        this.#log.warn('Some jobs did not end when they were aborted; they are released.');
      }
    }
    await releaseAllExcept(this.#database.db, this.#id, []).catch((error: unknown) =>
      this.#log.warn({ error }, 'Jobs could not be released, since the database is down.'),
    );
    await this.#lease.close();
    await this.#database.close();
  }

  async #pollUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    const { db } = this.#database;
    let isUnsure = false;
    while (!signal.aborted) {
      // A notification that arrives during a poll causes another poll.
      this.#news = Promise.withResolvers();
      try {
        // Takes no jobs without the lease, because other processes would treat this worker as dead.
        const wanted = this.#wanted();
        if (wanted.length > 0 && this.#lease.isHeld) {
          // If the response of a poll was lost, this worker may hold a job that it does not know
          // of. Such jobs are released.
          if (isUnsure) await releaseAllExcept(db, this.#id, this.#running.ids);
          isUnsure = false;
          const job = await this.#take(wanted);
          this.#lookedAtMs = this.#now();
          if (job !== null) {
            if (!signal.aborted) this.#begin(job);
            continue;
          }
        }
        await within(this.#news.promise, POLL_MS);
      } catch (error) {
        isUnsure = true;
        this.#noteFailure(error, 'The job worker cannot poll for jobs.');
        await this.#pauseBeforeRetry();
      }
    }
  }

  /** Takes the next job. Prefers accounts that have no running job of the same kind. */
  async #take(wanted: readonly string[]): Promise<TakenJob | null> {
    const { db } = this.#database;
    const take = (exhausted: readonly ExhaustedShare[]) =>
      takeJob(db, this.#id, wanted, this.#running.ids, exhausted);
    const busy = this.#exhaustedShares(() => true);
    const first = await take(busy);
    if (first !== null || busy.length === 0) return first;
    return take(
      this.#exhaustedShares((identifier, { maxConcurrent }) => {
        const free = maxConcurrent - this.#running.countOf(identifier);
        return free <= maxConcurrent * RESERVED_SHARE;
      }),
    );
  }

  /**
   * Returns the payload values whose maximum of running jobs is reached. No more of their jobs may
   * be taken. For a kind of job for which `isReserved` returns true, that includes every account
   * with a running job.
   */
  #exhaustedShares(isReserved: (identifier: string, slots: JobSlots) => boolean): ExhaustedShare[] {
    return this.#handlers.flatMap(({ identifier, slots }) => {
      if (slots === null) return [];
      const [account, ...others] = slots.shares;
      const own = account && isReserved(identifier, slots) ? { ...account, max: 1 } : account;
      const shares = own === undefined ? others : [own, ...others];
      return shares.flatMap((share) => this.#running.exhaustedShares(identifier, share));
    });
  }

  #begin(job: TakenJob): void {
    const work = this.#carryOut(job).finally(() => {
      this.#works.delete(work);
      this.#running.forget(job.id);
      this.#lookedAtMs = this.#now();
      this.#wake();
    });
    this.#works.add(work);
  }

  async #carryOut(job: TakenJob): Promise<void> {
    const outcome = await this.#running.run(job);
    for (;;) {
      try {
        await settleJob(this.#database.db, this.#id, job.id, outcome);
        return;
      } catch (error) {
        this.#noteFailure(error, 'The outcome of a job cannot be stored yet.');
        if (this.#stopping.signal.aborted) return;
        await this.#pauseBeforeRetry();
      }
    }
  }

  /** Aborts jobs that other workers may have taken over while this worker's connection was lost. */
  async #interruptLostJobs(): Promise<void> {
    const candidates = this.#running.ids;
    try {
      const ours = new Set(await findJobsOf(this.#database.db, this.#id));
      for (const jobId of candidates) {
        if (!ours.has(jobId))
          this.#running.interrupt(jobId, new Error('The job was given to another worker.'));
      }
    } catch (error) {
      this.#log.warn({ error }, 'Could not check which jobs still belong to this worker.');
    }
  }

  /** Returns the identifiers of the kinds of jobs that have a free slot. */
  #wanted(): readonly string[] {
    const { all, long } = this.#running.shared;
    const isBusy = all >= this.#concurrency;
    const hasFreeSlot = ({ identifier, isLong, slots }: HandledJob) => {
      if (slots !== null) return this.#running.countOf(identifier) < slots.maxConcurrent;
      return !isBusy && (!isLong || long < this.#maxLongJobs);
    };
    return this.#handlers.filter(hasFreeSlot).map(({ identifier }) => identifier);
  }

  async #pauseBeforeRetry(): Promise<void> {
    await pause(RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #wake(): void {
    this.#news.resolve();
  }

  /**
   * Logs a failure. Logs a lost connection at debug level only, because the outage is already
   * logged once.
   */
  #noteFailure(error: unknown, sentence: string): void {
    if (isConnectionError(error)) this.#log.debug({ error }, sentence);
    else this.#log.warn({ error }, sentence);
  }
}

/** Returns true if the work settles within the time, and false otherwise. */
async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const first = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return first;
}

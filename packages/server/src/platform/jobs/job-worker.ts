import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { type Database, openDatabase } from '../database.ts';
import { isConnectionError } from '../database-unavailable.ts';
import type { Log } from '../log.ts';
import { DeadWorkers } from './dead-workers.ts';
import type { HandledJob, JobPlaces } from './job.ts';
import {
  type Crowded,
  countOthers,
  findJobsOf,
  giveBackAllBut,
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
  /** Shared places, for all jobs without places of their own. */
  readonly concurrency: number;
  /** How many of them may be long ones; default: all. */
  readonly longAtOnce?: number | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: (() => number) | undefined;
}

/** How soon a job that falls due by its time is noticed; new ones are noticed at once. */
const POLL_MS = 1_000;
const RETRY_MS = 500;
/** A worker with a free place that has not looked for a job for so long is not working. */
const LATE_MS = 10_000;
/** After the first, running jobs are asked to end; after the second, they are given back though they have not. */
const FINISH_MS = 1_000;
const ABORT_MS = 8_000;
/** Share of a kind's own places that is left to accounts without a running job of that kind. */
const RESERVED_SHARE = 0.2;
/** One looks for jobs, one writes down how they end, one looks for dead workers. */
const CONNECTIONS = 3;

/**
 * Runs jobs in this process. A job keeps its place until the database has taken down how it ended, however long the
 * database is away: so nothing that was done is done again, and nothing is begun twice at once.
 */
export class JobWorker {
  readonly #id = `worker-${randomUUID()}`;
  readonly #log: Log;
  readonly #concurrency: number;
  readonly #longAtOnce: number;
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
    this.#longAtOnce = options.longAtOnce ?? concurrency;
    this.#handlers = handlers;
    this.#now = now;
    this.#lookedAtMs = now();
    this.#database = openDatabase<unknown>(connection, { log, max: CONNECTIONS });
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
      this.#log.warn(others, 'Jobs wait that this Winnow has no handler for.');
    }
    this.#deadWorkers.watch();
    this.#lookedAtMs = this.#now();
    this.#looking = this.#lookUntilStopped();
  }

  /** Null while it looks for jobs as it should, else a sentence that says what is wrong. */
  problem(): string | null {
    const lateMs = this.#now() - this.#lookedAtMs;
    if (lateMs <= LATE_MS || this.#wanted().length === 0) return null;
    return `The job worker has not looked for jobs for ${Math.round(lateMs / 1000)} seconds, so they wait. It tries again by itself; the log says why it cannot.`;
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
    if (!(await within(ended, FINISH_MS))) {
      this.#running.interruptAll(new Error('Winnow is stopping.'));
      if (!(await within(ended, ABORT_MS))) {
        this.#log.warn('Some jobs did not end when asked to; they are given back as they are.');
      }
    }
    await giveBackAllBut(this.#database.db, this.#id, []).catch((error: unknown) =>
      this.#log.warn({ error }, 'Jobs could not be given back, since the database is away.'),
    );
    await this.#lease.close();
    await this.#database.close();
  }

  async #lookUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    const { db } = this.#database;
    let isUnsure = false;
    while (!signal.aborted) {
      // Whoever brings news from here on is heard.
      this.#news = Promise.withResolvers();
      try {
        // A job without a lease would be taken for a dead worker's.
        const wanted = this.#wanted();
        if (wanted.length > 0 && this.#lease.isHeld) {
          // The answer to a failed look may have named a job that is ours since.
          if (isUnsure) await giveBackAllBut(db, this.#id, this.#running.ids);
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
        this.#noteFailure(error, 'The job worker cannot look for jobs.');
        await this.#pauseBeforeRetry();
      }
    }
  }

  /** Takes the next job, first one of an account that has none of its kind running. */
  async #take(wanted: readonly string[]): Promise<TakenJob | null> {
    const { db } = this.#database;
    const take = (crowded: readonly Crowded[]) => takeJob(db, this.#id, wanted, this.#running.ids, crowded);
    const busy = this.#crowded(() => true);
    const first = await take(busy);
    if (first !== null || busy.length === 0) return first;
    return take(
      this.#crowded((identifier, { atOnce }) => {
        const free = atOnce - this.#running.countOf(identifier);
        return free <= atOnce * RESERVED_SHARE;
      }),
    );
  }

  /** Whose jobs are not to be taken. Where `isReserved`, those of every account that has one running. */
  #crowded(isReserved: (identifier: string, places: JobPlaces) => boolean): Crowded[] {
    return this.#handlers.flatMap(({ identifier, places }) => {
      if (places === null) return [];
      const [account, ...others] = places.shares;
      const own = account && isReserved(identifier, places) ? { ...account, max: 1 } : account;
      const shares = own === undefined ? others : [own, ...others];
      return shares.flatMap((share) => this.#running.crowdedWith(identifier, share));
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
        this.#noteFailure(error, 'How a job ended cannot be written down yet.');
        if (this.#stopping.signal.aborted) return;
        await this.#pauseBeforeRetry();
      }
    }
  }

  /** After a lost connection: what others have taken over meanwhile must not go on here as well. */
  async #interruptLostJobs(): Promise<void> {
    const candidates = this.#running.ids;
    try {
      const ours = new Set(await findJobsOf(this.#database.db, this.#id));
      for (const jobId of candidates) {
        if (!ours.has(jobId))
          this.#running.interrupt(jobId, new Error('The job was given to another worker.'));
      }
    } catch (error) {
      this.#log.warn({ error }, 'Could not check which jobs are still ours.');
    }
  }

  /** The jobs there is a place for, by their identifiers. */
  #wanted(): readonly string[] {
    const { all, long } = this.#running.shared;
    const isBusy = all >= this.#concurrency;
    const hasPlace = ({ identifier, isLong, places }: HandledJob) => {
      if (places !== null) return this.#running.countOf(identifier) < places.atOnce;
      return !isBusy && (!isLong || long < this.#longAtOnce);
    };
    return this.#handlers.filter(hasPlace).map(({ identifier }) => identifier);
  }

  async #pauseBeforeRetry(): Promise<void> {
    await pause(RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  #wake(): void {
    this.#news.resolve();
  }

  /** While the database is away, its loss was logged once. */
  #noteFailure(error: unknown, sentence: string): void {
    if (isConnectionError(error)) this.#log.debug({ error }, sentence);
    else this.#log.warn({ error }, sentence);
  }
}

/** Whether the work ends, well or not, within the time. */
async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const first = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return first;
}

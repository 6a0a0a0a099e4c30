import type { QueryExecutorProvider } from 'kysely';
import { isConnectionError } from '../database-unavailable.ts';
import type { Log } from '../log.ts';
import { releaseWorkers } from './job-store.ts';
import { findWorkersWithoutLease } from './worker-lease.ts';

const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 2_000;

/**
 * Gives back the jobs of workers that died. A worker without a lease may only have lost its connection for a moment (a
 * restarted database loses all of them), so one is dead when it is still without after a grace.
 */
export class DeadWorkers {
  readonly #db: QueryExecutorProvider;
  readonly #log: Log;
  readonly #own: string | null;
  readonly #graceMs: number;
  readonly #missingSince = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<unknown> = Promise.resolve();

  /** `own` is this process's worker, which is alive whatever its lease. */
  constructor(options: {
    db: QueryExecutorProvider;
    log: Log;
    own?: string;
    graceMs?: number | undefined;
  }) {
    this.#db = options.db;
    this.#log = options.log;
    this.#own = options.own ?? null;
    this.#graceMs = options.graceMs ?? GRACE_MS;
  }

  /** Looks once; answers how many jobs were given back. */
  async release(nowMs = performance.now()): Promise<number> {
    const missing = (await findWorkersWithoutLease(this.#db)).filter((worker) => worker !== this.#own);
    for (const worker of this.#missingSince.keys()) {
      if (!missing.includes(worker)) this.#missingSince.delete(worker);
    }
    const dead = missing.filter((worker) => {
      const since = this.#missingSince.get(worker) ?? nowMs;
      this.#missingSince.set(worker, since);
      return nowMs - since >= this.#graceMs;
    });
    if (dead.length === 0) return 0;
    const released = await releaseWorkers(this.#db, dead);
    this.#log.warn(
      { workers: dead, jobs: released },
      'Took over the jobs of workers that ended without stopping.',
    );
    return released;
  }

  /** Looks again and again until {@link stop}. */
  watch(): void {
    this.#timer = setInterval(() => {
      this.#looking = this.release().catch((error: unknown) => {
        // While the database is away nothing can be taken over; the next look will.
        if (!isConnectionError(error)) this.#log.warn({ error }, 'Could not look for dead workers.');
      });
    }, LOOK_EVERY_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#looking;
  }
}

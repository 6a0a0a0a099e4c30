import type { QueryExecutorProvider } from 'kysely';
import { isConnectionError } from '../database-unavailable.ts';
import type { Log } from '../log.ts';
import { releaseWorkers } from './job-store.ts';
import { findWorkersWithoutLease } from './worker-lease.ts';

const GRACE_MS = 5_000;
const CHECK_INTERVAL_MS = 2_000;

/**
 * Releases jobs of dead workers. A worker without a lease may be alive: a database restart, for
 * example, interrupts its connection only briefly. So a worker counts as dead only if it still has
 * no lease after a grace period.
 */
export class DeadWorkers {
  readonly #db: QueryExecutorProvider;
  readonly #log: Log;
  readonly #own: string | null;
  readonly #graceMs: number;
  readonly #missingSince = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<unknown> = Promise.resolve();

  /** `own` is the id of this process's worker. It is alive, even without a lease. */
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

  /** Checks for dead workers once, and returns the number of released jobs. */
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
      'Released the jobs of workers that ended without stopping.',
    );
    return released;
  }

  /** Checks for dead workers periodically, until {@link stop}. */
  watch(): void {
    this.#timer = setInterval(() => {
      this.#looking = this.release().catch((error: unknown) => {
        // During a database outage no job can be released. The next check tries again.
        if (!isConnectionError(error)) this.#log.warn({ error }, 'Dead workers could not be checked.');
      });
    }, CHECK_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#looking;
  }
}

import { isConnectionError } from '../database-unavailable.ts';
import { type Log, withLogFields } from '../log.ts';
import { type HandledJob, JobCannotSucceed, JobPostponed } from './job.ts';
import type { Crowded, Outcome, TakenJob } from './job-store.ts';

/** How long a job that had to do without the database waits for its next attempt. */
const WITHOUT_DATABASE_PAUSE_MS = 1_000;

interface Running {
  readonly identifier: string;
  readonly accountId: string | null;
}

/** The jobs this process has begun and not yet settled, and how to end them early. */
export class RunningJobs {
  readonly #log: Log;
  readonly #handlers: ReadonlyMap<string, HandledJob>;
  readonly #stops = new Map<string, AbortController>();
  readonly #jobs = new Map<string, Running>();

  constructor(options: { log: Log; handlers: readonly HandledJob[] }) {
    this.#log = options.log;
    this.#handlers = new Map(options.handlers.map((handled) => [handled.identifier, handled]));
  }

  get ids(): string[] {
    return [...this.#stops.keys()];
  }

  /** Number of jobs in the shared places, and how many of them are long. */
  get shared(): { all: number; long: number } {
    const handled = [...this.#jobs.values()].map(({ identifier }) => this.#handlers.get(identifier));
    const shared = handled.filter((handler) => !handler?.places);
    return { all: shared.length, long: shared.filter((handler) => handler?.isLong).length };
  }

  /** Number of jobs of one kind. */
  countOf(identifier: string): number {
    return [...this.#jobs.values()].filter((job) => job.identifier === identifier).length;
  }

  /** The accounts that have `limit` or more jobs of one kind. */
  crowdedWith(identifier: string, limit: number): Crowded[] {
    const jobs = [...this.#jobs.values()].filter((job) => job.identifier === identifier);
    const groups = Map.groupBy(jobs, ({ accountId }) => accountId);
    return [...groups].flatMap(([accountId, { length }]) =>
      accountId !== null && length >= limit ? [{ identifier, accountId }] : [],
    );
  }

  /** Runs the job and answers how it ended. It counts as begun until {@link forget}. */
  async run(job: TakenJob): Promise<Outcome> {
    const stop = new AbortController();
    this.#stops.set(job.id, stop);
    this.#jobs.set(job.id, { identifier: job.identifier, accountId: accountOf(job.payload) });
    return withLogFields({ job: job.identifier, job_id: job.id }, async () => {
      const startedMs = performance.now();
      try {
        const isLastAttempt = job.attempts >= job.maxAttempts;
        const context = { signal: stop.signal, jobId: job.id, attempt: job.attempts, isLastAttempt };
        await this.#handlerOf(job).run(job.payload, context);
        this.#log.debug({ duration_ms: Math.round(performance.now() - startedMs) }, 'Job done.');
        return { kind: 'done' };
      } catch (error) {
        if (error instanceof JobPostponed) return { kind: 'postponed', pauseMs: error.pauseMs };
        return stop.signal.aborted ? { kind: 'interrupted', pauseMs: 0 } : this.#outcomeOf(error, job);
      }
    });
  }

  forget(jobId: string): void {
    this.#stops.delete(jobId);
    this.#jobs.delete(jobId);
  }

  interruptAll(reason: Error): void {
    for (const stop of this.#stops.values()) stop.abort(reason);
  }

  interrupt(jobId: string, reason: Error): void {
    this.#stops.get(jobId)?.abort(reason);
  }

  #handlerOf(job: TakenJob): HandledJob {
    const handled = this.#handlers.get(job.identifier);
    if (handled === undefined) throw new Error(`There is no handler for ${job.identifier}.`);
    return handled;
  }

  #outcomeOf(error: unknown, job: TakenJob): Outcome {
    if (isConnectionError(error)) {
      this.#log.warn({ error }, 'Job had to do without the database; it begins again.');
      return { kind: 'interrupted', pauseMs: WITHOUT_DATABASE_PAUSE_MS };
    }
    const isForGood = error instanceof JobCannotSucceed;
    if (isForGood || job.attempts >= job.maxAttempts) this.#log.error({ error }, 'Job failed for good.');
    else this.#log.warn({ error }, 'Job failed; it will be tried again.');
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error), isForGood };
  }
}

/** Whose a job is, as its payload says; null where it is nobody's. */
function accountOf(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null || !('account_id' in payload)) return null;
  return typeof payload.account_id === 'string' ? payload.account_id : null;
}

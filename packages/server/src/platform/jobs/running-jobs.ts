import { isConnectionError } from '../database-unavailable.ts';
import { type Log, withLogFields } from '../log.ts';
import { type HandledJob, JobCannotSucceed, JobPostponed, type JobShare } from './job.ts';
import type { ExhaustedShare, Outcome, TakenJob } from './job-store.ts';

/** Delay before the next attempt of a job that was interrupted by a database outage. */
const OUTAGE_RETRY_DELAY_MS = 1_000;

/** Jobs that this process has started and whose outcome is not stored yet. */
export class RunningJobs {
  readonly #log: Log;
  readonly #handlers: ReadonlyMap<string, HandledJob>;
  readonly #stops = new Map<string, AbortController>();
  readonly #jobs = new Map<string, TakenJob>();

  constructor(options: { log: Log; handlers: readonly HandledJob[] }) {
    this.#log = options.log;
    this.#handlers = new Map(options.handlers.map((handled) => [handled.identifier, handled]));
  }

  get ids(): string[] {
    return [...this.#stops.keys()];
  }

  /** Number of jobs in the shared slots, and the number of long jobs among them. */
  get shared(): { all: number; long: number } {
    const handled = [...this.#jobs.values()].map(({ identifier }) => this.#handlers.get(identifier));
    const shared = handled.filter((handler) => !handler?.slots);
    return { all: shared.length, long: shared.filter((handler) => handler?.isLong).length };
  }

  /** Returns the number of running jobs of one kind. */
  countOf(identifier: string): number {
    return [...this.#jobs.values()].filter((job) => job.identifier === identifier).length;
  }

  /**
   * Returns the values of a payload field that occur in at least `max` running jobs of one kind.
   */
  exhaustedShares(identifier: string, { field, max }: JobShare): ExhaustedShare[] {
    const jobs = [...this.#jobs.values()].filter((job) => job.identifier === identifier);
    const groups = Map.groupBy(jobs, ({ payload }) => fieldOf(payload, field));
    return [...groups].flatMap(([value, { length }]) =>
      value !== null && length >= max ? [{ identifier, field, value }] : [],
    );
  }

  /** Runs the job and returns its outcome. The job counts as running until {@link forget}. */
  async run(job: TakenJob): Promise<Outcome> {
    const stop = new AbortController();
    this.#stops.set(job.id, stop);
    this.#jobs.set(job.id, job);
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
      this.#log.warn({ error }, 'The database went down during a job; it will be retried.');
      return { kind: 'interrupted', pauseMs: OUTAGE_RETRY_DELAY_MS };
    }
    const isForGood = error instanceof JobCannotSucceed;
    if (isForGood || job.attempts >= job.maxAttempts) this.#log.error({ error }, 'Job failed for good.');
    else this.#log.warn({ error }, 'Job failed; it will be tried again.');
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error), isForGood };
  }
}

/** Returns the value of a text field in a job's payload; null if the payload has no such field. */
function fieldOf(payload: unknown, field: string): string | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const value: unknown = Object.entries(payload).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : null;
}

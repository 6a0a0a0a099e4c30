import { isConnectionError } from '../database-unavailable.ts';
import { type Log, withLogFields } from '../log.ts';
import { type HandledJob, JobCannotSucceed } from './job.ts';
import type { Outcome, TakenJob } from './job-store.ts';

/** How long a job that had to do without the database waits for its next attempt. */
const WITHOUT_DATABASE_PAUSE_MS = 1_000;

/** The jobs this process has begun and not yet settled, and how to end them early. */
export class RunningJobs {
  readonly #log: Log;
  readonly #handlers: ReadonlyMap<string, HandledJob>;
  readonly #stops = new Map<string, AbortController>();
  readonly #long = new Set<string>();

  constructor(options: { log: Log; handlers: readonly HandledJob[] }) {
    this.#log = options.log;
    this.#handlers = new Map(options.handlers.map((handled) => [handled.identifier, handled]));
  }

  get ids(): string[] {
    return [...this.#stops.keys()];
  }

  /** How many of them may take minutes. */
  get longCount(): number {
    return this.#long.size;
  }

  /** Runs the job and answers how it ended. It counts as begun until {@link forget}. */
  async run(job: TakenJob): Promise<Outcome> {
    const stop = new AbortController();
    this.#stops.set(job.id, stop);
    if (this.#handlers.get(job.identifier)?.isLong) this.#long.add(job.id);
    return withLogFields({ job: job.identifier, job_id: job.id }, async () => {
      const startedMs = performance.now();
      try {
        const isLastAttempt = job.attempts >= job.maxAttempts;
        const context = { signal: stop.signal, jobId: job.id, attempt: job.attempts, isLastAttempt };
        await this.#handlerOf(job).run(job.payload, context);
        this.#log.debug({ duration_ms: Math.round(performance.now() - startedMs) }, 'Job done.');
        return { kind: 'done' };
      } catch (error) {
        return stop.signal.aborted ? { kind: 'interrupted', pauseMs: 0 } : this.#outcomeOf(error, job);
      }
    });
  }

  forget(jobId: string): void {
    this.#stops.delete(jobId);
    this.#long.delete(jobId);
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

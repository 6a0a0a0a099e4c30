import type { Task } from 'graphile-worker';
import { type QueryExecutorProvider, sql } from 'kysely';
import { type Log, withLogFields } from '../log.ts';
import { type HandledJob, JobCannotSucceed } from './job.ts';

/** The jobs this process runs just now, and how to end them early. */
export class RunningJobs {
  readonly #db: QueryExecutorProvider;
  readonly #log: Log;
  readonly #stops = new Map<string, AbortController>();
  readonly #interrupted = new Set<string>();

  constructor(options: { db: QueryExecutorProvider; log: Log }) {
    this.#db = options.db;
    this.#log = options.log;
  }

  /** What graphile-worker calls for each job of this kind. */
  taskOf(handled: HandledJob): Task {
    return async (payload, { job }) => {
      const jobId = String(job.id);
      const stop = new AbortController();
      const isLastAttempt = job.attempts >= job.max_attempts;
      const context = { signal: stop.signal, jobId, attempt: job.attempts, isLastAttempt };
      this.#stops.set(jobId, stop);
      await withLogFields({ job: handled.identifier, job_id: jobId }, async () => {
        const startedMs = performance.now();
        try {
          await handled.run(payload, context);
          this.#log.debug({ duration_ms: Math.round(performance.now() - startedMs) }, 'Job done.');
        } catch (error) {
          if (!stop.signal.aborted) await this.#noteFailure(error, jobId, isLastAttempt);
          throw error;
        } finally {
          this.#stops.delete(jobId);
        }
      });
    };
  }

  /** Aborts every job's signal. They are remembered for {@link giveBackInterrupted}. */
  interruptAll(reason: Error): void {
    for (const [jobId, stop] of this.#stops) {
      this.#interrupted.add(jobId);
      stop.abort(reason);
    }
  }

  /** Interrupted is not failed: no attempt counts, and they may begin again at once. To be called when none runs. */
  async giveBackInterrupted(): Promise<void> {
    if (this.#interrupted.size === 0) return;
    try {
      await sql`
        update graphile_worker._private_jobs
        set attempts = greatest(attempts - 1, 0), run_at = now(), last_error = null
        where id = any(${[...this.#interrupted]}::bigint[]) and locked_at is null
      `.execute(this.#db);
    } catch (error) {
      this.#log.warn({ error }, 'Interrupted jobs count as failed once, since the database is away.');
    }
  }

  /** After a lost connection: what others have taken over meanwhile must not go on here as well. */
  async abortThoseNotLockedBy(workerId: string): Promise<void> {
    const candidates = [...this.#stops];
    try {
      const { rows } = await sql<{ id: string }>`
        select id::text from graphile_worker._private_jobs where locked_by = ${workerId}
      `.execute(this.#db);
      const ours = new Set(rows.map((row) => row.id));
      for (const [jobId, stop] of candidates) {
        if (!ours.has(jobId)) stop.abort(new Error('The job was given to another worker.'));
      }
    } catch (error) {
      this.#log.warn({ error }, 'Could not check which jobs are still ours.');
    }
  }

  async #noteFailure(error: unknown, jobId: string, isLastAttempt: boolean): Promise<void> {
    if (error instanceof JobCannotSucceed) {
      // The queue tries again while attempts are left, and keeps the error's message as the reason.
      await sql`
        update graphile_worker._private_jobs set max_attempts = attempts where id = ${jobId}::bigint
      `.execute(this.#db);
    }
    if (error instanceof JobCannotSucceed || isLastAttempt)
      this.#log.error({ error }, 'Job failed for good.');
    else this.#log.warn({ error }, 'Job failed; it will be tried again.');
  }
}

import { ModelError } from './model-error.ts';

/** Time limit of one question. It starts when the question leaves the queue. */
export class TimeLimit {
  /** Aborted when the time is up or the caller cancels. */
  readonly signal: AbortSignal;
  readonly #time: AbortSignal;
  readonly #asker: AbortSignal | undefined;
  readonly #endsAtMs: number;

  constructor(withinMs: number, asker: AbortSignal | undefined) {
    this.#time = AbortSignal.timeout(withinMs);
    this.#asker = asker;
    this.signal = asker ? AbortSignal.any([asker, this.#time]) : this.#time;
    this.#endsAtMs = performance.now() + withinMs;
  }

  /** True if time is left after a wait of `waitMs`. */
  allows(waitMs: number): boolean {
    return performance.now() + waitMs < this.#endsAtMs;
  }

  /** Returns the reason for an error: a timeout, the caller's abort reason, or the error itself. */
  explain(error: unknown, model: string): unknown {
    if (error instanceof ModelError) return error;
    if (this.#asker?.aborted) return this.#asker.reason;
    if (!this.#time.aborted) return error;
    return new ModelError('timeout', `${model} did not answer in time.`, { cause: this.#time.reason });
  }
}

import { ModelError } from './model-error.ts';

/** The time that one question has, from when it has its place. */
export class TimeLimit {
  /** Aborted when the time is over, or by whoever asks. */
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

  /** Whether there is time for a wait and something after it. */
  allows(waitMs: number): boolean {
    return performance.now() + waitMs < this.#endsAtMs;
  }

  /** What an error means: the time was over, whoever asked has given up, or what it says. */
  explain(error: unknown, model: string): unknown {
    if (error instanceof ModelError) return error;
    if (this.#asker?.aborted) return this.#asker.reason;
    if (!this.#time.aborted) return error;
    return new ModelError('timeout', `${model} did not answer in time.`, { cause: this.#time.reason });
  }
}

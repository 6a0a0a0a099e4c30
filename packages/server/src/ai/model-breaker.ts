import type { ModelError } from './model-error.ts';

/** First rest of a model that failed, unless the provider names a time. It doubles with each failed trial. */
const REST_MS = 60_000;
const LONGEST_REST_MS = 300_000;
/** While one caller tries a model after its rest, the others look again after this time. */
const TRIAL_MS = 5_000;

interface Rest {
  untilMs: number;
  /** Length of the last rest that the provider did not name. */
  restMs: number;
  error: ModelError;
  isTried: boolean;
}

/** A call that the breaker let through. Report its outcome exactly once. */
export interface BreakerPass {
  /** The model responded, whatever it said. */
  succeeded(): void;
  failed(error: ModelError): void;
  /** The caller gave up before the model responded. */
  abandoned(): void;
}

/**
 * Stops calls to a model that is known to be down. After a failure of the model itself it rests. Then a single call tries
 * it: all others are refused until that call has an outcome.
 */
export class ModelBreaker {
  readonly #now: () => Date;
  readonly #rests = new Map<string, Rest>();
  /** When each model responded last, in milliseconds of the monotonic clock. */
  readonly #respondedAtMs = new Map<string, number>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Lets a call through. @throws {ModelError} the last failure while the model rests or is being tried. */
  enter(modelId: string): BreakerPass {
    const rest = this.#rests.get(modelId);
    if (rest !== undefined) {
      if (this.#waitOf(rest) > 0) throw rest.error;
      rest.isTried = true;
    }
    const startMs = performance.now();
    return {
      succeeded: () => this.#succeed(modelId),
      failed: (error) => this.#fail(modelId, error, startMs, rest),
      abandoned: () => {
        if (rest !== undefined) rest.isTried = false;
      },
    };
  }

  /** Milliseconds until a call may be let through; 0 if it may be now. */
  waitMs(modelId: string): number {
    const rest = this.#rests.get(modelId);
    return rest === undefined ? 0 : this.#waitOf(rest);
  }

  /** Ends a model's rest, because its settings changed or a user asked for it. The next call tries it. */
  wake(modelId: string): void {
    const rest = this.#rests.get(modelId);
    if (rest !== undefined) rest.untilMs = this.#now().getTime();
  }

  #waitOf({ untilMs, isTried }: Rest): number {
    return isTried ? TRIAL_MS : Math.max(0, untilMs - this.#now().getTime());
  }

  #succeed(modelId: string): void {
    this.#respondedAtMs.set(modelId, performance.now());
    this.#rests.delete(modelId);
  }

  #fail(modelId: string, error: ModelError, startMs: number, tried: Rest | undefined): void {
    if (!error.concernsModel) {
      this.#succeed(modelId);
      return;
    }
    if (tried !== undefined) tried.isTried = false;
    // A model that responded to another call meanwhile was only too slow for this one.
    const respondedMs = this.#respondedAtMs.get(modelId) ?? Number.NEGATIVE_INFINITY;
    if (error.kind === 'timeout' && respondedMs > startMs) return;
    const current = this.#rests.get(modelId) ?? { untilMs: 0, restMs: REST_MS, error, isTried: false };
    if (tried === current) current.restMs = Math.min(current.restMs * 2, LONGEST_REST_MS);
    const restMs = Math.min(error.waitMs ?? current.restMs, LONGEST_REST_MS);
    current.untilMs = Math.max(current.untilMs, this.#now().getTime() + restMs);
    current.error = error;
    this.#rests.set(modelId, current);
  }
}

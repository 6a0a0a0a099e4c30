import type { ModelError } from './model-error.ts';

/**
 * Initial cooldown of a failing model. It doubles with each failed trial. A wait that the provider
 * asks for takes precedence.
 */
const INITIAL_COOLDOWN_MS = 60_000;
const MAX_COOLDOWN_MS = 300_000;
/**
 * Wait returned to other callers while one call tries a model after its cooldown, in milliseconds.
 */
const TRIAL_WAIT_MS = 5_000;

interface Cooldown {
  /** Time of the last failure, in milliseconds since the epoch. */
  failedMs: number;
  untilMs: number;
  /** Length of the last cooldown in milliseconds. Ignores waits that the provider asked for. */
  cooldownMs: number;
  error: ModelError;
  isTried: boolean;
}

/** A call that the breaker let through. Report its outcome exactly once. */
export interface BreakerPass {
  /** Call this after the model has responded, whether the answer is usable or not. */
  succeeded(): void;
  failed(error: ModelError): void;
  /** Call this if the caller gave up before the model responded. */
  abandoned(): void;
}

/**
 * Circuit breaker: stops calls to a model that is known to be down. A failure of the model starts a
 * cooldown. After the cooldown, a single call tries the model. Other calls are refused until that
 * call ends.
 */
export class ModelBreaker {
  readonly #now: () => Date;
  readonly #cooldowns = new Map<string, Cooldown>();
  /** Time of each model's last response, in milliseconds of the monotonic clock. */
  readonly #respondedAtMs = new Map<string, number>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * Lets a call through. During the cooldown, and while another call tries the model, throws the
   * last failure.
   * @throws {ModelError}
   */
  enter(modelId: string): BreakerPass {
    const cooldown = this.#cooldowns.get(modelId);
    if (cooldown !== undefined) {
      if (this.#waitOf(cooldown) > 0) throw cooldown.error;
      cooldown.isTried = true;
    }
    const startMs = performance.now();
    return {
      succeeded: () => this.#succeed(modelId),
      failed: (error) => this.#fail(modelId, error, startMs, cooldown),
      abandoned: () => {
        if (cooldown !== undefined) cooldown.isTried = false;
      },
    };
  }

  /**
   * Returns the milliseconds until the next call may be let through; 0 if calls are allowed now.
   */
  waitMs(modelId: string): number {
    const cooldown = this.#cooldowns.get(modelId);
    return cooldown === undefined ? 0 : this.#waitOf(cooldown);
  }

  /**
   * Ends a model's cooldown after a change of its settings or on a user's request. The next call
   * tries the model. A request made before the last failure is ignored, so several simultaneous
   * requests cause only one call.
   */
  wake(modelId: string, requestedAt = this.#now()): void {
    const cooldown = this.#cooldowns.get(modelId);
    if (cooldown !== undefined && requestedAt.getTime() >= cooldown.failedMs)
      cooldown.untilMs = this.#now().getTime();
  }

  #waitOf({ untilMs, isTried }: Cooldown): number {
    return isTried ? TRIAL_WAIT_MS : Math.max(0, untilMs - this.#now().getTime());
  }

  #succeed(modelId: string): void {
    this.#respondedAtMs.set(modelId, performance.now());
    this.#cooldowns.delete(modelId);
  }

  #fail(modelId: string, error: ModelError, startMs: number, tried: Cooldown | undefined): void {
    if (!error.concernsModel) {
      this.#succeed(modelId);
      return;
    }
    if (tried !== undefined) tried.isTried = false;
    // The model responded to another call in the meantime. It is not down, only too slow for this
    // call.
    const respondedMs = this.#respondedAtMs.get(modelId) ?? Number.NEGATIVE_INFINITY;
    if (error.kind === 'timeout' && respondedMs > startMs) return;
    const failedMs = this.#now().getTime();
    const first = { failedMs, untilMs: 0, cooldownMs: INITIAL_COOLDOWN_MS, error, isTried: false };
    const current = this.#cooldowns.get(modelId) ?? first;
    if (tried === current) current.cooldownMs = Math.min(current.cooldownMs * 2, MAX_COOLDOWN_MS);
    const cooldownMs = Math.min(error.waitMs ?? current.cooldownMs, MAX_COOLDOWN_MS);
    current.failedMs = failedMs;
    current.untilMs = Math.max(current.untilMs, failedMs + cooldownMs);
    current.error = error;
    this.#cooldowns.set(modelId, current);
  }
}

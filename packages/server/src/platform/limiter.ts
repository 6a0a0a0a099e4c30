import { AppError } from './errors.ts';

/** Thrown if a host has asked for a pause longer than the caller's maximum wait. */
export class HostPaused extends AppError {
  readonly host: string;
  /** End of the pause, in epoch milliseconds. */
  readonly untilMs: number;

  constructor(host: string, untilMs: number, nowMs: number) {
    super({
      code: 'upstream_rate_limited',
      category: 'unavailable',
      detail: `${host} has asked for a pause because of its rate limit. Calls resume at ${new Date(untilMs).toISOString()}.`,
      retryAfterSeconds: (untilMs - nowMs) / 1000,
    });
    this.host = host;
    this.untilMs = untilMs;
  }
}

export type Limiter = {
  /**
   * Runs `work` when the key has a free slot and is not paused. Calls with the same key start in
   * order of arrival.
   *
   * @throws {HostPaused} immediately, if a pause lasts longer than `maxWaitMs`
   * @throws the signal's reason if aborted while waiting, and errors of `work`
   */
  run<T>(
    key: string,
    work: () => Promise<T>,
    options?: { maxWaitMs?: number | undefined; signal?: AbortSignal | undefined },
  ): Promise<T>;
  /**
   * Pauses the key: starts no work with this key before `untilMs` (epoch milliseconds). Never
   * shortens an existing pause.
   */
  pauseUntil(key: string, untilMs: number): void;
  /**
   * Returns the end of the key's pause in epoch milliseconds. Returns null if the key is not
   * paused.
   */
  pausedUntil(key: string): number | null;
};

type Waiter = { start(): void; refuse(error: unknown): void; latestMs: number };
type Lane = { running: number; pausedUntilMs: number; waiting: Waiter[]; timer: NodeJS.Timeout | null };

/** Maximum delay of a Node timer. A longer pause uses several timers. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Limits concurrent calls per key (a host or an account) in this process. At most `concurrency`
 * calls run at a time, and none starts while the key is paused.
 */
export function createLimiter(options: { concurrency: number; now?: (() => number) | undefined }): Limiter {
  const now = options.now ?? Date.now;
  const lanes = new Map<string, Lane>();

  function laneOf(key: string): Lane {
    const lane = lanes.get(key.toLowerCase()) ?? { running: 0, pausedUntilMs: 0, waiting: [], timer: null };
    lanes.set(key.toLowerCase(), lane);
    return lane;
  }

  function pump(key: string, lane: Lane): void {
    const pauseMs = lane.pausedUntilMs - now();
    if (pauseMs > 0) {
      refuseImpatient(key, lane);
      if (lane.waiting.length > 0 && lane.timer === null) {
        lane.timer = setTimeout(
          () => {
            lane.timer = null;
            pump(key, lane);
          },
          Math.min(pauseMs, MAX_TIMER_MS),
        );
        lane.timer.unref();
      }
    } else {
      while (lane.running < options.concurrency) {
        const next = lane.waiting.shift();
        if (next === undefined) break;
        lane.running += 1;
        next.start();
      }
    }
    if (lane.running === 0 && lane.waiting.length === 0 && lane.pausedUntilMs <= now()) {
      lanes.delete(key.toLowerCase());
    }
  }

  function refuseImpatient(key: string, lane: Lane): void {
    const impatient = lane.waiting.filter((waiter) => waiter.latestMs < lane.pausedUntilMs);
    lane.waiting = lane.waiting.filter((waiter) => waiter.latestMs >= lane.pausedUntilMs);
    for (const waiter of impatient) waiter.refuse(new HostPaused(key, lane.pausedUntilMs, now()));
  }

  function place(key: string, lane: Lane, latestMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        lane.waiting = lane.waiting.filter((other) => other !== waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        latestMs,
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      lane.waiting.push(waiter);
      pump(key, lane);
    });
  }

  return {
    async run(key, work, { maxWaitMs = Number.POSITIVE_INFINITY, signal } = {}) {
      signal?.throwIfAborted();
      const lane = laneOf(key);
      await place(key, lane, now() + maxWaitMs, signal);
      try {
        return await work();
      } finally {
        lane.running -= 1;
        pump(key, lane);
      }
    },
    pauseUntil(key, untilMs) {
      const lane = laneOf(key);
      if (untilMs <= lane.pausedUntilMs) return;
      lane.pausedUntilMs = untilMs;
      if (lane.timer !== null) clearTimeout(lane.timer);
      lane.timer = null;
      pump(key, lane);
    },
    pausedUntil(key) {
      const until = lanes.get(key.toLowerCase())?.pausedUntilMs ?? 0;
      return until > now() ? until : null;
    },
  };
}

import { AppError } from '../errors.ts';

/** Work for a host that asked to be left alone for longer than the caller is ready to wait. */
export class HostPaused extends AppError {
  readonly host: string;
  /** When the host may be called again, in epoch milliseconds. */
  readonly untilMs: number;

  constructor(host: string, untilMs: number, nowMs: number) {
    super({
      code: 'upstream_rate_limited',
      status: 503,
      detail: `${host} has asked for a pause because of its rate limit. It goes on at ${new Date(untilMs).toISOString()}.`,
      retryAfterSeconds: (untilMs - nowMs) / 1000,
    });
    this.host = host;
    this.untilMs = untilMs;
  }
}

export type HostLimiter = {
  /**
   * Runs `work` when the host has a free place and no pause, in the order of asking. Throws {@link HostPaused} at once
   * when a pause outlasts `maxWaitMs`, the signal's reason when it is aborted while waiting, and what `work` throws.
   */
  run<T>(
    host: string,
    work: () => Promise<T>,
    options?: { maxWaitMs?: number | undefined; signal?: AbortSignal | undefined },
  ): Promise<T>;
  /** Starts nothing more for the host before `untilMs` (epoch milliseconds). A shorter pause never ends a longer one. */
  pauseUntil(host: string, untilMs: number): void;
  /** End of the host's pause in epoch milliseconds, or null when there is none. */
  pausedUntil(host: string): number | null;
};

type Waiter = { start(): void; refuse(error: unknown): void; latestMs: number };
type Lane = { running: number; pausedUntilMs: number; waiting: Waiter[]; timer: NodeJS.Timeout | null };

/** A timer of Node holds no more than this; a longer pause is waited for in parts. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * One set of places per host, shared by all work of the process: at most `concurrency` calls at a time, and none while
 * the host has asked for a pause.
 */
export function createHostLimiter(options: {
  concurrency: number;
  now?: (() => number) | undefined;
}): HostLimiter {
  const now = options.now ?? Date.now;
  const lanes = new Map<string, Lane>();

  function laneOf(host: string): Lane {
    const key = host.toLowerCase();
    const lane = lanes.get(key) ?? { running: 0, pausedUntilMs: 0, waiting: [], timer: null };
    lanes.set(key, lane);
    return lane;
  }

  function pump(host: string, lane: Lane): void {
    const pauseMs = lane.pausedUntilMs - now();
    if (pauseMs > 0) {
      refuseImpatient(host, lane);
      if (lane.waiting.length > 0 && lane.timer === null) {
        lane.timer = setTimeout(
          () => {
            lane.timer = null;
            pump(host, lane);
          },
          Math.min(pauseMs, LONGEST_TIMER_MS),
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
      lanes.delete(host.toLowerCase());
    }
  }

  function refuseImpatient(host: string, lane: Lane): void {
    const impatient = lane.waiting.filter((waiter) => waiter.latestMs < lane.pausedUntilMs);
    lane.waiting = lane.waiting.filter((waiter) => waiter.latestMs >= lane.pausedUntilMs);
    for (const waiter of impatient) waiter.refuse(new HostPaused(host, lane.pausedUntilMs, now()));
  }

  function place(host: string, lane: Lane, latestMs: number, signal?: AbortSignal): Promise<void> {
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
      pump(host, lane);
    });
  }

  return {
    async run(host, work, { maxWaitMs = Number.POSITIVE_INFINITY, signal } = {}) {
      signal?.throwIfAborted();
      const lane = laneOf(host);
      await place(host, lane, now() + maxWaitMs, signal);
      try {
        return await work();
      } finally {
        lane.running -= 1;
        pump(host, lane);
      }
    },
    pauseUntil(host, untilMs) {
      const lane = laneOf(host);
      if (untilMs <= lane.pausedUntilMs) return;
      lane.pausedUntilMs = untilMs;
      if (lane.timer !== null) clearTimeout(lane.timer);
      lane.timer = null;
      pump(host, lane);
    },
    pausedUntil(host) {
      const until = lanes.get(host.toLowerCase())?.pausedUntilMs ?? 0;
      return until > now() ? until : null;
    },
  };
}

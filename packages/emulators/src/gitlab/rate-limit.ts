import { GitLabError } from './gitlab-error.ts';

const minuteMs = 60_000;

/** Number of used and remaining requests of a caller. `resetS` is in seconds since 1970. */
export interface RateState {
  limit: number;
  observed: number;
  remaining: number;
  resetS: number;
  nowMs: number;
}

/**
 * Rate limit: a maximum number of requests per caller and minute. A minute starts at second 0 of
 * the clock, as with Rack::Attack.
 */
export class RateLimiter {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, { minute: number; count: number }>();

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts a request. Returns the state after it. */
  spend(caller: string): RateState {
    const nowMs = this.#now();
    const minute = Math.floor(nowMs / minuteMs);
    const entry = this.#counts.get(caller);
    const count = entry?.minute === minute ? entry.count + 1 : 1;
    this.#counts.set(caller, { minute, count });
    return {
      limit: this.#limit,
      observed: count,
      remaining: Math.max(0, this.#limit - count),
      resetS: ((minute + 1) * minuteMs) / 1000,
      nowMs,
    };
  }
}

export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-name': 'throttle_authenticated_api',
    'ratelimit-observed': String(state.observed),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetS),
    'ratelimit-resettime': new Date(state.resetS * 1000).toUTCString(),
  };
}

/** Returns the 429 for an exceeded limit. Its body is plain text instead of JSON. */
export function tooManyRequests(state: RateState): GitLabError {
  const seconds = Math.max(1, Math.ceil(state.resetS - state.nowMs / 1000));
  return new GitLabError(429, 'Retry later\n', { ...rateHeaders(state), 'retry-after': String(seconds) });
}

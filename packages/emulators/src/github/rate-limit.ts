import { GitHubError } from './github-error.ts';

const hourMs = 3_600_000;

/** Number of used and remaining requests of a caller. `resetS` is in seconds since 1970. */
export interface RateState {
  limit: number;
  remaining: number;
  used: number;
  resetS: number;
}

/**
 * Primary rate limit: a maximum number of requests per caller and hour. The hour starts with the
 * first request. Responses with status 304 and requests to `/rate_limit` do not count.
 */
export class RateLimiter {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #windows = new Map<string, { used: number; resetMs: number }>();

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  state(caller: string): RateState {
    const { used, resetMs } = this.#window(caller);
    const limit = this.#limitOf(caller);
    return { limit, used, remaining: Math.max(0, limit - used), resetS: Math.ceil(resetMs / 1000) };
  }

  spend(caller: string): void {
    this.#window(caller).used += 1;
  }

  /** Uncounts a request that turned out to be free. */
  refund(caller: string): void {
    const window = this.#window(caller);
    window.used = Math.max(0, window.used - 1);
  }

  /** Returns the maximum requests per hour. Anonymous callers get 60, as on github.com. */
  #limitOf(caller: string): number {
    return caller === '' ? Math.min(60, this.#limit) : this.#limit;
  }

  #window(caller: string): { used: number; resetMs: number } {
    let window = this.#windows.get(caller);
    if (!window || window.resetMs <= this.#now()) {
      window = { used: 0, resetMs: this.#now() + hourMs };
      this.#windows.set(caller, window);
    }
    return window;
  }
}

/** Returns the headers of each response on a host with a rate limit. */
export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(state.remaining),
    'x-ratelimit-reset': String(state.resetS),
    'x-ratelimit-used': String(state.used),
    'x-ratelimit-resource': 'core',
  };
}

const contact = (requestId: string, at: string) =>
  `If you reach out to GitHub Support for help, please include the request ID ${requestId} and timestamp ${at}.`;

/** Returns the error of an exceeded primary limit. Its status is 403, or 429 on some paths. */
export function primaryLimitError(
  status: 403 | 429,
  userId: number,
  requestId: string,
  at: string,
): GitHubError {
  return new GitHubError(status, `API rate limit exceeded for user ID ${userId}. ${contact(requestId, at)}`, {
    documentation_url: 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api',
  });
}

/**
 * Returns the error of the secondary limit, for too many requests at once. Without `retryAfterS`,
 * it has no `Retry-After` header.
 */
export function secondaryLimitError(
  status: 403 | 429,
  retryAfterS: number | undefined,
  requestId: string,
  at: string,
): GitHubError {
  return new GitHubError(
    status,
    `You have exceeded a secondary rate limit. Please wait a few minutes before you try again. ${contact(requestId, at)}`,
    {
      documentation_url:
        'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits',
    },
    retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) },
  );
}

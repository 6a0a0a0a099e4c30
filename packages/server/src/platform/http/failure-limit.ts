import type { FastifyRequest } from 'fastify';
import { rateLimited } from '../errors.ts';
import type { App } from './app.ts';
import { BODY_LIMIT_BYTES } from './body-limits.ts';
import type { RateLimit } from './rate-limit.ts';

/** Maximum failed requests per key. `keyOf` returns the key of a request, such as its address. */
export type FailureLimit = RateLimit & { keyOf: (request: FastifyRequest) => string };

export type FailureLimiter = {
  /**
   * Counts a failed request and returns the error to throw. That is `error`, or a 429 error if a
   * limit is exceeded.
   */
  count(request: FastifyRequest, error: Error): Promise<Error>;
  /**
   * If a limit is exceeded, refuses a large body with 429 `rate_limited` before reading it. Use it
   * as an `onRequest` hook.
   */
  refuseLargeBody(request: FastifyRequest): Promise<void>;
};

/**
 * Limits failed requests to an endpoint that can verify its caller only after reading the body,
 * such as a webhook with a signature.
 *
 * Small bodies are verified even beyond the limit. A hosted service sends valid and forged webhooks
 * from the same network, so refusing them all would lose valid ones.
 */
export function limitFailures(app: App, limits: readonly FailureLimit[]): FailureLimiter {
  const counters = limits.map(({ max, windowMs, keyOf }) =>
    app.createRateLimit({ max, timeWindow: windowMs, keyGenerator: keyOf }),
  );
  return {
    async count(request, error) {
      const counts = await Promise.all(counters.map((counter) => counter(request)));
      const exceeded = counts.find((count) => !count.isAllowed && count.isExceeded);
      return exceeded?.isAllowed === false ? rateLimited(exceeded.ttlInSeconds) : error;
    },
    async refuseLargeBody(request) {
      if (!hasLargeBody(request)) return;
      for (const counter of counters) {
        const count = await counter(request, { increment: false });
        if (!count.isAllowed && count.remaining === 0) throw rateLimited(count.ttlInSeconds);
      }
    },
  };
}

/** True if the body has more than 64 kB, or if its size is unknown. */
export function hasLargeBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES.webhookAfterFailures;
}

import type { FastifyRequest } from 'fastify';
import { rateLimited } from '../errors.ts';
import type { App } from './app.ts';
import { BODY_LIMIT_BYTES } from './body-limits.ts';
import type { RateLimit } from './rate-limit.ts';

/** Maximum failed requests with the key that `keyOf` returns. */
export type FailureLimit = RateLimit & { keyOf: (request: FastifyRequest) => string };

export type FailureLimiter = {
  /** Counts a failed request. Returns the error to throw: `error`, or 429 beyond a limit. */
  count(request: FastifyRequest, error: Error): Promise<Error>;
  /**
   * Refuses a large body without reading it, with 429 `rate_limited`, once a limit is exceeded. Use
   * it as an `onRequest` hook.
   */
  refuseLargeBody(request: FastifyRequest): Promise<void>;
};

/**
 * Limits failed requests to an endpoint that can verify its caller only after it has read the body,
 * such as a webhook with a signature. Small bodies are read and verified beyond the limits as well:
 * valid and forged webhooks can come from one network, that of a hosted service.
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

/** True if the body has over 64 kB or an unknown size. */
export function hasLargeBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > BODY_LIMIT_BYTES.webhookAfterFailures;
}

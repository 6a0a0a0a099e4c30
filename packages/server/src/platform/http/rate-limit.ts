import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { rateLimited } from '../errors.ts';
import type { App } from './app.ts';
import { isApi } from './site.ts';

/** So many requests in a window of so many milliseconds. */
export type RateLimit = { max: number; windowMs: number };

/**
 * Limits the calls of the API by address; 429 with `rate_limited` and `Retry-After`. A route sets its own limit with
 * `config.rateLimit: { max, timeWindow, keyGenerator? }`, or none with `false`. Pages and their files do not count: they
 * come from memory, one visit asks for dozens, and a whole office may come from one address.
 */
export async function registerRateLimit(app: App, limit: RateLimit): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    max: limit.max,
    timeWindow: limit.windowMs,
    allowList: ({ url, routeOptions }) => !isApi(url) && routeOptions.config.rateLimit === undefined,
    errorResponseBuilder: (_request, context) => rateLimited(context.ttl / 1000),
  });
  // The plugin counts after the hooks that a route brings itself. Counting comes first here, so that a flood of wrong
  // tokens is limited too and costs no look-up.
  app.addHook('onRoute', (route) => {
    if (route.config?.rateLimit === false || !Array.isArray(route.onRequest)) return;
    const limiter = route.onRequest.pop();
    if (limiter !== undefined) route.onRequest.unshift(limiter);
  });
}

/** How much of a limit is left after a request. */
export type Counted = { max: number; remaining: number; resetSeconds: number };

/**
 * Counts a request under what `keyOf` makes of it. Beyond the limit it throws 429 `rate_limited`, once `onCounted` was
 * called. To be made after {@link registerRateLimit}; each process counts for itself.
 */
export function limitBy(
  app: App,
  limit: RateLimit,
  keyOf: (request: FastifyRequest) => string,
  onCounted: (request: FastifyRequest, counted: Counted) => void = () => undefined,
) {
  const count = app.createRateLimit({ max: limit.max, timeWindow: limit.windowMs, keyGenerator: keyOf });
  return async (request: FastifyRequest): Promise<void> => {
    const counted = await count(request);
    if (counted.isAllowed) return;
    onCounted(request, {
      max: counted.max,
      remaining: counted.remaining,
      resetSeconds: counted.ttlInSeconds,
    });
    if (counted.isExceeded) throw rateLimited(counted.ttl / 1000);
  };
}

/** What counts as one caller: an IPv4 address, or the /64 network of an IPv6 one, which one line has all to itself. */
export function networkOf(request: FastifyRequest): string {
  return normalizeIP(request.ip);
}

import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { rateLimited } from '../errors.ts';
import type { App } from './app.ts';
import { isApi, isRead } from './site.ts';

/** Maximum requests in a window of `windowMs`. */
export type RateLimit = { max: number; windowMs: number };

/**
 * Limits requests per address. Beyond the limit, callers get 429 `rate_limited` with `Retry-After`.
 * A route sets its own limit with `config.rateLimit: { max, timeWindow, keyGenerator? }`, or
 * disables it with `false`.
 *
 * Reads of pages and their files do not count: they are served from memory, and one visit loads
 * dozens.
 */
export async function registerRateLimit(app: App, limit: RateLimit): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    max: limit.max,
    timeWindow: limit.windowMs,
    allowList: ({ url, method, routeOptions }) =>
      !isApi(url) && isRead(method) && routeOptions.config.rateLimit === undefined,
    errorResponseBuilder: (_request, context) => rateLimited(context.ttl / 1000),
  });
  // By default, the plugin counts a request after the route's own hooks. Moving its hook first also
  // limits requests with invalid tokens, before the tokens are looked up.
  app.addHook('onRoute', (route) => {
    if (route.config?.rateLimit === false || !Array.isArray(route.onRequest)) return;
    const limiter = route.onRequest.pop();
    if (limiter !== undefined) route.onRequest.unshift(limiter);
  });
}

/** State of a rate limit after it has counted a request. */
export type Counted = { max: number; remaining: number; resetSeconds: number };

/**
 * Creates a hook that counts requests by the key that `keyOf` returns. Beyond the limit, it throws
 * 429 `rate_limited`. After each counted request, it passes the state to `onCounted`. Call it after
 * {@link registerRateLimit}. Each process counts separately.
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

/**
 * Returns the network that counts as one caller: an IPv4 address, or the /64 network of an IPv6
 * address.
 */
export function networkOf(request: FastifyRequest): string {
  return normalizeIP(request.ip);
}

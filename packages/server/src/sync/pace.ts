import { HOUR_MS, MINUTE_MS } from '../platform/clock.ts';
import type { RateLimitUse } from '../trackers/index.ts';

/** Delay between the end of a sync and the next poll for changes. */
const POLL_AFTER_MS = 5 * MINUTE_MS;
/** Polling delay while webhooks are active. Also the maximum delay when polling is expensive. */
const MAX_POLL_AFTER_MS = HOUR_MS;
/**
 * Share of a tracker's rate limit that polling may use. The rest is left for writes and for other
 * clients.
 */
const MAX_POLLING_SHARE = 1 / 5;
/** Hourly limit that is assumed for trackers that do not report theirs. */
const DEFAULT_HOURLY_LIMIT = 5_000;
const FIRST_BACK_OFF_MS = 30 * MINUTE_MS;
const MAX_BACK_OFF_MS = 6 * HOUR_MS;

/**
 * Returns the delay before the next sync, from the number of requests that the last one needed.
 * With webhooks, it is the maximum.
 */
export function pollAfterMs({ requests, hourlyLimit }: RateLimitUse, hasWebhooks: boolean): number {
  if (hasWebhooks) return MAX_POLL_AFTER_MS;
  const affordable = (hourlyLimit ?? DEFAULT_HOURLY_LIMIT) * MAX_POLLING_SHARE;
  return Math.min(Math.max(POLL_AFTER_MS, (requests / affordable) * HOUR_MS), MAX_POLL_AFTER_MS);
}

/** Returns the delay before the next attempt after `failures` failed syncs in a row. */
export function backOffMs(failures: number): number {
  return Math.min(FIRST_BACK_OFF_MS * 2 ** Math.max(0, failures - 1), MAX_BACK_OFF_MS);
}

import { HOUR_MS, MINUTE_MS } from '../platform/clock.ts';
import type { RateLimitUse } from '../trackers/index.ts';

/** Minimum delay between the end of a sync and the next one. */
const POLL_AFTER_MS = 5 * MINUTE_MS;
/**
 * Polling delay while webhooks work. Also the maximum delay for trackers whose polling takes many
 * requests.
 */
const MAX_POLL_AFTER_MS = HOUR_MS;
/**
 * Share of a tracker's rate limit that polling may use. Writes and other clients of the token need
 * the remaining requests.
 */
const MAX_POLLING_SHARE = 1 / 5;
/** Requests per hour that are assumed to be allowed if the tracker does not report its limit. */
const DEFAULT_HOURLY_LIMIT = 5_000;
const FIRST_BACK_OFF_MS = 30 * MINUTE_MS;
const MAX_BACK_OFF_MS = 6 * HOUR_MS;

/**
 * Returns the delay before the next sync. It is longer the more requests the last sync took. While
 * webhooks work, it is the maximum delay.
 */
export function pollAfterMs({ requests, hourlyLimit }: RateLimitUse, hasWebhooks: boolean): number {
  if (hasWebhooks) return MAX_POLL_AFTER_MS;
  const affordable = (hourlyLimit ?? DEFAULT_HOURLY_LIMIT) * MAX_POLLING_SHARE;
  return Math.min(Math.max(POLL_AFTER_MS, (requests / affordable) * HOUR_MS), MAX_POLL_AFTER_MS);
}

/** Returns the delay before the next attempt, after `failures` failed syncs in a row. */
export function backOffMs(failures: number): number {
  return Math.min(FIRST_BACK_OFF_MS * 2 ** Math.max(0, failures - 1), MAX_BACK_OFF_MS);
}

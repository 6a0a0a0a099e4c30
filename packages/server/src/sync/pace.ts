import type { Spending } from '../trackers/provider.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long after a sync the next one looks for changes… */
const POLL_AFTER_MS = 5 * MINUTE_MS;
/** …and where webhooks tell of them, or looking takes much of what the tracker allows. */
const POLL_SELDOM_AFTER_MS = HOUR_MS;
/** Which part of a tracker's limit looking for changes may take: the rest is for decisions, and for others. */
const PART_OF_LIMIT = 1 / 5;
/** What is assumed of a tracker that does not tell its limit. */
const USUAL_HOURLY_LIMIT = 5_000;
const FIRST_BACK_OFF_MS = 30 * MINUTE_MS;
const LONGEST_BACK_OFF_MS = 6 * HOUR_MS;

/** When a tracker is synced again whose sync took so many requests. */
export function pollAfterMs({ requests, hourlyLimit }: Spending, hasWebhooks: boolean): number {
  if (hasWebhooks) return POLL_SELDOM_AFTER_MS;
  const affordable = (hourlyLimit ?? USUAL_HOURLY_LIMIT) * PART_OF_LIMIT;
  return Math.min(Math.max(POLL_AFTER_MS, (requests / affordable) * HOUR_MS), POLL_SELDOM_AFTER_MS);
}

/** When a tracker is tried again that needs somebody's help, after so many syncs in a row that failed. */
export function backOffMs(failures: number): number {
  return Math.min(FIRST_BACK_OFF_MS * 2 ** Math.max(0, failures - 1), LONGEST_BACK_OFF_MS);
}

import { PENDING_CANCELLATION, type Subscription, subscriptionStatus } from '@winnow/contract/plan';
import type { SubscriptionRow } from './store.ts';

/** Plan id of a subscription to something that is not one of our plans. */
const UNKNOWN_PLAN = 'unknown';

/** Presents an account's subscription; null if it has none. */
export function presentSubscription(row: SubscriptionRow | undefined): Subscription | null {
  if (row === undefined || row.subscription_id === null || row.status === null) return null;
  // A due payment is more important to show than a cancellation.
  const isEnding = row.cancel_at_period_end && subscriptionStatus(row.status).isPaid;
  return {
    id: row.subscription_id,
    plan_id: row.plan_id ?? UNKNOWN_PLAN,
    status: isEnding ? PENDING_CANCELLATION : row.status,
    interval: row.interval,
    current_period_start: row.current_period_start?.toISOString() ?? null,
    current_period_end: row.current_period_end?.toISOString() ?? null,
    cancel_at_period_end: row.cancel_at_period_end,
    pending_change: row.pending_change,
    waiting_change: row.waiting_change,
  };
}

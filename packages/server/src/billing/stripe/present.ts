import { PENDING_CANCELLATION, type Subscription, subscriptionStatus } from '@winnow/contract/plan';
import type { SubscriptionRow } from './store.ts';

/** Plan id reported for a subscription to a product that is none of our plans. */
const UNKNOWN_PLAN = 'unknown';

/** Converts an account's subscription to its API form; null if there is none. */
export function presentSubscription(row: SubscriptionRow | undefined): Subscription | null {
  if (row === undefined || row.subscription_id === null || row.status === null) return null;
  // An unpaid subscription shows that status, even if it was canceled: the due payment is more
  // important.
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

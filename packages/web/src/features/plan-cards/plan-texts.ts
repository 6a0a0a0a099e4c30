import {
  type BillingInterval,
  type CheckoutRequest,
  type Plan,
  type Subscription,
  startsImmediately,
  subscriptionStatus,
  UNLIMITED,
} from '@winnow/contract/plan';
import type { ApiUsage } from '@winnow/contract/usage';
import { sentenceOf } from '../../api/session/api-error.ts';
import { countText } from '../../ui/texts/count-text.ts';
import { dateText } from '../../ui/texts/date-text.ts';
import { FEATURE_ROWS } from '../plans/plan-features.ts';
import { FREE, priceOf, priceText } from '../plans/price-texts.ts';
import { isBilled } from '../plans/subscription.ts';

/** Thrown if the server returns no address that is safe to open. */
export class NoAddress extends Error {}

/** Returns the error text for a failure to open the Stripe portal. */
export function portalFailure(error: unknown): string {
  return error instanceof NoAddress
    ? 'Could not retrieve the subscription management URL.'
    : sentenceOf(error, 'Failed to create portal session. Please check configuration and try again.');
}

/** Returns the error text for a failed plan change. */
export function checkoutFailure(error: unknown): string {
  return sentenceOf(error, 'Failed to process subscription change.');
}

/** Returns the error text if canceling a plan change that awaits payment fails. */
export function cancelFailure(error: unknown): string {
  return sentenceOf(error, 'Failed to cancel the change.');
}

function dayOf(instant: string): string {
  return dateText(new Date(instant));
}

/**
 * Returns how a plan at an interval relates to the subscription. It may be the current plan, the
 * current plan at another interval, scheduled to start, or none of these.
 */
export function planRelation(
  plan: Pick<Plan, 'id'>,
  interval: BillingInterval,
  current: Subscription | null | undefined,
): { is: 'current' | 'other interval' | 'open' } | { is: 'coming'; text: string } {
  if (current === undefined) return { is: 'open' };
  const isOwn = plan.id === (current?.plan_id ?? FREE);
  if (!isBilled(current)) return { is: isOwn ? 'current' : 'open' };
  const { pending_change: change, current_period_end: end } = current;
  if (isOwn && (current.interval ?? interval) === interval) return { is: 'current' };
  if (change !== null && plan.id === change.plan_id && interval === change.interval) {
    return { is: 'coming', text: `Starts on ${dayOf(change.at)}` };
  }
  if (plan.id === FREE && current.cancel_at_period_end && end !== null) {
    return { is: 'coming', text: `Starts on ${dayOf(end)}` };
  }
  return { is: isOwn ? 'other interval' : 'open' };
}

/** Describes a scheduled cancellation or plan change with its date; null if none is scheduled. */
export function comingText(current: Subscription | null | undefined, plans: readonly Plan[]): string | null {
  if (!isBilled(current)) return null;
  const { cancel_at_period_end, current_period_end: end, pending_change: change, plan_id } = current;
  if (cancel_at_period_end && end !== null) return `Cancels on ${dayOf(end)}`;
  if (change === null) return null;
  const name =
    change.plan_id === plan_id
      ? BY_INTERVAL[change.interval].way
      : (plans.find(({ id }) => id === change.plan_id)?.name ?? change.plan_id);
  return `Changes to ${name} on ${dayOf(change.at)}`;
}

const BY_INTERVAL = {
  month: { way: 'monthly', paying: 'Monthly billing' },
  year: { way: 'yearly', paying: 'Yearly billing' },
} as const satisfies Record<BillingInterval, object>;

/** Label of the button that switches the current plan to another billing interval. */
export function switchLabel(interval: BillingInterval): string {
  return `Switch to ${BY_INTERVAL[interval].way}`;
}

/** A requested change of a paid plan, before confirmation. */
export interface PlanQuestion {
  current: Subscription;
  /** The current plan; null if it was deleted. */
  from: Plan | null;
  to: Plan;
  interval: BillingInterval;
  /** This month's usage of the current plan; undefined while loading. */
  used: ApiUsage['limits'] | undefined;
}

/**
 * Returns the confirmation texts of a plan change. They state when the new plan starts, what it
 * costs, and which features are lost.
 */
export function changeQuestion(asked: PlanQuestion): {
  title: string;
  sentences: string[];
  losses: string[];
  confirmLabel: string;
} {
  const { current, from, to, interval } = asked;
  const isSame = to.id === current.plan_id;
  const title = isSame ? switchLabel(interval) : `Change to ${to.name}`;
  const costs = `The ${to.name} plan costs ${priceText(to, interval)}.`;
  if (!subscriptionStatus(current.status).isPaid) {
    const owed = 'Stripe first collects the overdue payment. Choose the plan again after paying.';
    return { title, sentences: [costs, owed], losses: [], confirmLabel: 'Change plan' };
  }
  const subject = isSame ? BY_INTERVAL[interval].paying : 'It';
  const immediate = isImmediate(asked);
  const losses = isSame ? [] : lossesOf(asked);
  const begins = immediate
    ? `${subject} starts immediately; the rest of the current period is credited.`
    : `${subject} starts ${current.current_period_end === null ? '' : `on ${dayOf(current.current_period_end)}, `}when the paid period ends. Nothing is charged or credited now.`;
  const withdrawn = current.cancel_at_period_end
    ? [`The cancellation of the ${from?.name ?? 'current'} plan is withdrawn.`]
    : current.pending_change !== null
      ? ['This replaces your scheduled change.']
      : [];
  return {
    title,
    sentences: [`${costs} ${begins}`, ...withdrawn],
    losses,
    confirmLabel: !immediate && losses.length > 0 ? 'Downgrade' : 'Change plan',
  };
}

/**
 * True if the change starts immediately; the rule is the same as on the server. If the current plan
 * was deleted, only Stripe knows its price. In this case, assumes that the new plan is more
 * expensive.
 */
function isImmediate({ current, from, to, interval }: PlanQuestion): boolean {
  if (from === null || current.interval === null || current.status === 'trialing') return true;
  return startsImmediately(
    { plan_id: from.id, dollars: priceOf(from, current.interval) ?? 0, interval: current.interval },
    { plan_id: to.id, dollars: priceOf(to, interval) ?? 0, interval },
  );
}

/**
 * Lists the features that the new plan lacks or limits more. Adds the usage if it already exceeds
 * the new limit.
 */
function lossesOf({ from, to, used }: PlanQuestion): string[] {
  if (from === null) return [];
  return FEATURE_ROWS.flatMap(({ feature, label }) => {
    const [before, after] = [from.features[feature], to.features[feature]];
    if (typeof before === 'boolean' || typeof after === 'boolean') {
      return before && !after ? [`${label}: not included`] : [];
    }
    if (after === UNLIMITED || (before !== UNLIMITED && before <= after)) return [];
    const fall = `${label}: from ${before === UNLIMITED ? 'unlimited' : countText(before)} to ${countText(after)}`;
    const use = feature in USAGE_FIELDS ? used?.[feature as keyof typeof USAGE_FIELDS].used : undefined;
    return [use !== undefined && use > after ? `${fall}; ${countText(use)} used so far this month` : fall];
  });
}

const USAGE_FIELDS = {
  api_calls_monthly: true,
  ai_calls_monthly: true,
  issues_ingested_monthly: true,
} as const;

/** States the result of a plan change in a sentence, given the new subscription. */
export function changedText(
  to: Plan,
  { plan_id, interval }: CheckoutRequest,
  now: Subscription | null,
): string {
  const change = now?.pending_change ?? null;
  if (change !== null && change.plan_id === plan_id && change.interval === interval) {
    const day = dayOf(change.at);
    return change.plan_id === now?.plan_id
      ? `The ${to.name} plan is billed ${BY_INTERVAL[interval].way} from ${day}.`
      : `The ${to.name} plan starts on ${day}.`;
  }
  return `You are now on the ${to.name} plan.`;
}

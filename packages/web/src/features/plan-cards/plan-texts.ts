import {
  type BillingInterval,
  beginsAtOnce,
  type CheckoutRequest,
  type Plan,
  type Subscription,
  subscriptionStatus,
  UNLIMITED,
} from '@winnow/contract/plan';
import type { ApiUsage } from '@winnow/contract/usage';
import { sentenceOf } from '../../api/session/api-error.ts';
import { countText } from '../../ui/texts/count-text.ts';
import { dateText } from '../../ui/texts/date-text.ts';
import { FEATURE_ROWS } from '../plans/plan-features.ts';
import { isBilled } from '../plans/subscription.ts';
import { FREE, priceOf, priceText } from '../plans/texts.ts';

/** The server named no page that a browser may be sent to. */
export class NoAddress extends Error {}

/** Why Stripe's pages did not open. */
export function portalFailure(error: unknown): string {
  return error instanceof NoAddress
    ? 'Could not retrieve the subscription management URL.'
    : sentenceOf(error, 'Failed to create portal session. Please check configuration and try again.');
}

/** Why a plan was not had. */
export function checkoutFailure(error: unknown): string {
  return sentenceOf(error, 'Failed to process subscription change.');
}

/** Why a change that waits for its payment was not canceled. */
export function cancelFailure(error: unknown): string {
  return sentenceOf(error, 'Failed to cancel the change.');
}

/** The day of an instant. */
function dayOf(instant: string): string {
  return dateText(new Date(instant));
}

/**
 * How an account stands to a plan by an interval: on it, on it by the other interval, to be on it when what is paid has
 * ended, or none of these.
 */
export function standingOf(
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
    return { is: 'coming', text: `Begins on ${dayOf(change.at)}` };
  }
  if (plan.id === FREE && current.cancel_at_period_end && end !== null) {
    return { is: 'coming', text: `Begins on ${dayOf(end)}` };
  }
  return { is: isOwn ? 'other interval' : 'open' };
}

/** That what is paid ends, or what it changes to, and when; null where it goes on as it is. */
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
  month: { way: 'monthly', paying: 'Paying by the month' },
  year: { way: 'yearly', paying: 'Paying by the year' },
} as const satisfies Record<BillingInterval, object>;

/** What leads to one's own plan by the other interval. */
export function switchLabel(interval: BillingInterval): string {
  return `Switch to ${BY_INTERVAL[interval].way}`;
}

/** A change of what is paid, before it is made. */
export interface PlanQuestion {
  current: Subscription;
  /** Null where there is no such plan any more. */
  from: Plan | null;
  to: Plan;
  interval: BillingInterval;
  /** What is used of the present plan; undefined while it is not known. */
  used: ApiUsage['limits'] | undefined;
}

/** How a change of plan is asked about: what happens when, and what there is less of from then on. */
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
    const owed = 'Stripe first asks for what is owed. Choose the plan again once that is paid.';
    return { title, sentences: [costs, owed], losses: [], confirmLabel: 'Change plan' };
  }
  const subject = isSame ? BY_INTERVAL[interval].paying : 'It';
  const atOnce = isHadAtOnce(asked);
  const losses = isSame ? [] : lossesOf(asked);
  const begins = atOnce
    ? `${subject} begins at once; what is left of the present period is taken off.`
    : `${subject} begins ${current.current_period_end === null ? '' : `on ${dayOf(current.current_period_end)}, `}when what is paid has ended. Nothing is charged or credited now.`;
  const withdrawn = current.cancel_at_period_end
    ? [`The cancellation of the ${from?.name ?? 'present'} plan is withdrawn.`]
    : current.pending_change !== null
      ? ['This takes the place of the change that is to come.']
      : [];
  return {
    title,
    sentences: [`${costs} ${begins}`, ...withdrawn],
    losses,
    confirmLabel: !atOnce && losses.length > 0 ? 'Downgrade' : 'Change plan',
  };
}

/** As the server decides it. What a plan cost that is no more it knows from Stripe; such a one counts as the cheaper. */
function isHadAtOnce({ current, from, to, interval }: PlanQuestion): boolean {
  if (from === null || current.interval === null || current.status === 'trialing') return true;
  return beginsAtOnce(
    { plan_id: from.id, dollars: priceOf(from, current.interval) ?? 0, interval: current.interval },
    { plan_id: to.id, dollars: priceOf(to, interval) ?? 0, interval },
  );
}

/** What the other plan has less of, and where more than that is used already. */
function lossesOf({ from, to, used }: PlanQuestion): string[] {
  if (from === null) return [];
  return FEATURE_ROWS.flatMap(({ feature, label }) => {
    const [before, after] = [from.features[feature], to.features[feature]];
    if (typeof before === 'boolean' || typeof after === 'boolean') {
      return before && !after ? [`${label}: not included`] : [];
    }
    if (after === UNLIMITED || (before !== UNLIMITED && before <= after)) return [];
    const fall = `${label}: from ${before === UNLIMITED ? 'unlimited' : countText(before)} to ${countText(after)}`;
    const use = feature in USED ? used?.[feature as keyof typeof USED].used : undefined;
    return [
      use !== undefined && use > after ? `${fall}; ${countText(use)} are used this month already` : fall,
    ];
  });
}

const USED = {
  api_calls_monthly: true,
  ai_calls_monthly: true,
  issues_ingested_monthly: true,
} as const;

/** What came of a change, by what is paid now. */
export function changedText(
  to: Plan,
  { plan_id, interval }: CheckoutRequest,
  now: Subscription | null,
): string {
  const change = now?.pending_change ?? null;
  if (change !== null && change.plan_id === plan_id && change.interval === interval) {
    return `The ${to.name} plan begins on ${dayOf(change.at)}${change.plan_id === now?.plan_id ? `, paid by the ${interval}` : ''}.`;
  }
  return `You are on the ${to.name} plan now.`;
}

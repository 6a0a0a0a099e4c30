import {
  type Plan,
  SELF_HOSTED,
  type Subscription,
  subscriptionStatus,
  type WaitingChange,
} from '@winnow/contract/plan';
import type { ApiUsage } from '@winnow/contract/usage';
import { comingText } from '../../../features/plan-cards/plan-texts.ts';
import type { Tone } from '../../../theme/tones.ts';
import { countText } from '../../../ui/texts/count-text.ts';
import { dateText } from '../../../ui/texts/date-text.ts';

/**
 * Returns the label and color tone of a subscription status. An unknown status is labeled as Stripe
 * does.
 */
export function statusChip(status: string): { label: string; tone: Tone } {
  const { label = status, tone } = subscriptionStatus(status);
  return { label, tone };
}

/**
 * States the date on which the plan renews, ends or changes. For a plan without such a date, states
 * why it has none.
 */
export function dateLine(current: Subscription | null, plans: readonly Plan[]): string {
  if (current === null) return 'You are currently on the Free plan.';
  if (current.status === SELF_HOSTED) return 'Your administrator chose this plan. There is no charge.';
  if (current.current_period_end === null) return '';
  return comingText(current, plans) ?? `Renews on ${dateText(new Date(current.current_period_end))}`;
}

/** Describes a plan change that awaits payment. */
export function waitingText(
  { plan_id: currentId }: Pick<Subscription, 'plan_id'>,
  { plan_id, interval, until }: WaitingChange,
  plans: readonly Plan[],
): string {
  const nameOf = (id: string) => plans.find((plan) => plan.id === id)?.name ?? id;
  const way = interval === 'month' ? 'monthly' : 'yearly';
  return `The change to ${nameOf(plan_id)}, paid ${way}, begins when you pay its invoice. Until then you stay on ${nameOf(currentId)}. Without a payment it lapses on ${dateText(new Date(until))}.`;
}

/** States this month's usage and limits, such as `12 of 1,000 API calls`. */
export function usageLines(limits: ApiUsage['limits']): string[] {
  const { api_calls_monthly, ai_calls_monthly, issues_ingested_monthly } = limits;
  return [
    { ...api_calls_monthly, what: 'API calls' },
    { ...ai_calls_monthly, what: 'AI calls' },
    { ...issues_ingested_monthly, what: 'issues ingested' },
  ].map(({ used, limit, what }) =>
    limit === null
      ? `${countText(used)} ${what}, no limit`
      : `${countText(used)} of ${countText(limit)} ${what}`,
  );
}

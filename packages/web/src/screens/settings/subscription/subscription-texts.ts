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

/** Returns label and tone of a status. Statuses without a custom label use Stripe's word. */
export function statusChip(status: string): { label: string; tone: Tone } {
  const { label = status, tone } = subscriptionStatus(status);
  return { label, tone };
}

/**
 * Describes the next date of the plan: its renewal, end or change. For a plan without dates, states
 * why there is none.
 */
export function dateLine(current: Subscription | null, plans: readonly Plan[]): string {
  if (current === null) return 'You are currently on the Free plan.';
  if (current.status === SELF_HOSTED) return 'Your administrator chose this plan. There is no charge.';
  if (current.current_period_end === null) return '';
  return comingText(current, plans) ?? `Renews on ${dateText(new Date(current.current_period_end))}`;
}

/** Describes a plan change that waits for payment. */
export function waitingText(
  { plan_id: currentId }: Pick<Subscription, 'plan_id'>,
  { plan_id, interval, until }: WaitingChange,
  plans: readonly Plan[],
): string {
  const nameOf = (id: string) => plans.find((plan) => plan.id === id)?.name ?? id;
  const way = interval === 'month' ? 'monthly' : 'yearly';
  return `The change to ${nameOf(plan_id)}, paid ${way}, begins when you pay its invoice. Until then you stay on ${nameOf(currentId)}. Without a payment it lapses on ${dateText(new Date(until))}.`;
}

/** Returns the usage of this month: `12 of 1,000 API calls`. */
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

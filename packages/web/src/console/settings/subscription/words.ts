import { PENDING_CANCELLATION, SELF_HOSTED, type Subscription } from '@winnow/contract/plan';
import { sentenceOf } from '../../../app/session/api-error.ts';
import type { Tone } from '../../../app/theme/tones.ts';
import { dateText } from '../api-keys/date-text.ts';
import { NoAddress } from './queries.ts';

/** The status as it is shown: Stripe's own word, but for what has a name of ours. */
export function statusChip(status: string): { label: string; tone: Tone } {
  switch (status) {
    case PENDING_CANCELLATION:
      return { label: 'Pending cancellation', tone: 'warning' };
    case SELF_HOSTED:
      return { label: 'Self-hosted', tone: 'neutral' };
    case 'active':
    case 'trialing':
      return { label: status, tone: 'success' };
    default:
      return { label: status, tone: 'danger' };
  }
}

/** What happens when: the end of the period, or that nothing is paid. */
export function dateLine(current: Subscription | null): string {
  if (current === null) return 'You are currently on the Free plan.';
  if (current.status === SELF_HOSTED)
    return 'Whoever runs this installation chose this plan. Nothing is paid.';
  if (current.current_period_end === null) return '';
  const word = current.status === PENDING_CANCELLATION ? 'Cancels on' : 'Renews on';
  return `${word} ${dateText(new Date(current.current_period_end))}`;
}

/** What is wrong with paying; null when nothing is. */
export function paymentTrouble(status: string): string | null {
  switch (status) {
    case 'past_due':
      return 'The last payment failed, and Stripe tries it again. Enter another card in Stripe, or the plan ends.';
    case 'unpaid':
    case 'incomplete':
      return 'The plan is not paid, so the limits of the Free plan hold. Pay or enter another card in Stripe.';
    case 'canceled':
    case 'incomplete_expired':
      return 'The plan has ended, so the limits of the Free plan hold.';
    default:
      return null;
  }
}

/** Why Stripe's pages did not open. */
export function portalFailure(error: unknown): string {
  return error instanceof NoAddress
    ? 'Could not retrieve the subscription management URL.'
    : sentenceOf(error, 'Failed to create portal session. Please check configuration and try again.');
}

import { type BillingInterval, type Plan, UNLIMITED } from '@winnow/contract/plan';

/** The plan that costs nothing, and the one that is agreed on with a person. */
export const FREE = 'free';
const ENTERPRISE = 'enterprise';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });
/** Cents where there are any. */
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});
const SHORT = { month: 'mo', year: 'yr' } as const satisfies Record<BillingInterval, string>;

/** Plans are paid by the month or by the year. */
export const INTERVALS: { value: BillingInterval; label: string }[] = [
  { value: 'month', label: 'Monthly' },
  { value: 'year', label: 'Yearly' },
];

type Priced = Pick<Plan, 'id' | 'price_monthly' | 'price_annually'>;

/** What a plan costs each interval; null where it is not sold so. */
export function priceOf(plan: Priced, interval: BillingInterval): number | null {
  return interval === 'month' ? plan.price_monthly : plan.price_annually;
}

/** What a plan costs: `$20/mo`, `$2,000/yr`, `Free` for 0, and `Custom` where there is no price, or a person is asked. */
export function priceText(plan: Priced, interval: BillingInterval): string {
  const price = priceOf(plan, interval);
  if (price === null || plan.id === ENTERPRISE) return 'Custom';
  return price === 0 ? 'Free' : `${dollars.format(price)}/${SHORT[interval]}`;
}

/** What a year's price comes to a month, rounded to dollars; null where there is nothing to divide. */
export function monthlyOfYear(plan: Priced): string | null {
  const { id, price_annually: price } = plan;
  if (price === null || price === 0 || id === ENTERPRISE) return null;
  return `~${dollars.format(Math.round(price / 12))}/mo billed annually`;
}

/** A number of a plan: `Unlimited` for -1, in full below 1000, else in short (`10K`). */
export function amountText(amount: number): string {
  if (amount === UNLIMITED) return 'Unlimited';
  return amount < 1000 ? String(amount) : compact.format(amount);
}

/** The plans with the free one first; the others keep their order. */
export function freeFirst<P extends Pick<Plan, 'id'>>(plans: readonly P[]): P[] {
  return [...plans.filter(({ id }) => id === FREE), ...plans.filter(({ id }) => id !== FREE)];
}

/** What stands beside a plan's name. */
export function badgeOf({ id }: Pick<Plan, 'id'>): string | null {
  if (id === 'ultra') return 'Most popular';
  return id === ENTERPRISE ? 'Enterprise' : null;
}

/**
 * What a plan's button says, and where it leads; `checkout` is a call to the server that answers where to pay. Where it leads
 * nowhere, since the plan is not sold by this interval, there is no button, and the words say how it is sold.
 */
export function callToAction(
  plan: Priced & Pick<Plan, 'name'>,
  interval: BillingInterval,
): { label: string; leadsTo: '/register' | '/request-demo' | 'checkout' | null } {
  const { id, name } = plan;
  if (id === FREE) return { label: 'Get Free', leadsTo: '/register' };
  if (id === ENTERPRISE) return { label: 'Contact Sales', leadsTo: '/request-demo' };
  if (priceOf(plan, interval) !== null) return { label: `Get ${name}`, leadsTo: 'checkout' };
  const other = interval === 'month' ? 'year' : 'month';
  return { label: `Sold by ${priceOf(plan, other) === null ? 'agreement' : `the ${other}`}`, leadsTo: null };
}

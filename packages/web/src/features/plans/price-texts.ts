import { type BillingInterval, type Plan, UNLIMITED } from '@winnow/contract/plan';

/** Ids of the free plan and of the plan sold by the sales team. */
export const FREE = 'free';
const ENTERPRISE = 'enterprise';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });
/** Number format that shows cents only if the amount is not a whole number of dollars. */
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});
const INTERVAL_ABBREVIATIONS = { month: 'mo', year: 'yr' } as const satisfies Record<BillingInterval, string>;

/** Billing intervals. */
export const INTERVALS: { value: BillingInterval; label: string }[] = [
  { value: 'month', label: 'Monthly' },
  { value: 'year', label: 'Yearly' },
];

type Priced = Pick<Plan, 'id' | 'price_monthly' | 'price_annually'>;

/** Returns the price of a plan at an interval. Null if the plan is not sold at this interval. */
export function priceOf(plan: Priced, interval: BillingInterval): number | null {
  return interval === 'month' ? plan.price_monthly : plan.price_annually;
}

/**
 * Formats the price of a plan: `$20/mo`, `$2,000/yr`, or `Free` for 0. A plan without a price and
 * the enterprise plan read `Custom`.
 */
export function priceText(plan: Priced, interval: BillingInterval): string {
  const price = priceOf(plan, interval);
  if (price === null || plan.id === ENTERPRISE) return 'Custom';
  return price === 0 ? 'Free' : `${dollars.format(price)}/${INTERVAL_ABBREVIATIONS[interval]}`;
}

/**
 * Returns the monthly share of a yearly price, rounded to dollars. Null if the plan is free or has
 * no fixed price.
 */
export function monthlyOfYear(plan: Priced): string | null {
  const { id, price_annually: price } = plan;
  if (price === null || price === 0 || id === ENTERPRISE) return null;
  return `~${dollars.format(Math.round(price / 12))}/mo billed annually`;
}

/**
 * Formats a plan limit. -1 reads `Unlimited`, numbers below 1,000 are written in full, others are
 * compact (`10K`).
 */
export function amountText(amount: number): string {
  if (amount === UNLIMITED) return 'Unlimited';
  return amount < 1000 ? String(amount) : compact.format(amount);
}

/** Moves the free plan to the front and keeps the order of the other plans. */
export function freeFirst<P extends Pick<Plan, 'id'>>(plans: readonly P[]): P[] {
  return [...plans.filter(({ id }) => id === FREE), ...plans.filter(({ id }) => id !== FREE)];
}

/** Returns the badge displayed beside the name of a plan; null if the plan has no badge. */
export function badgeOf({ id }: Pick<Plan, 'id'>): string | null {
  if (id === 'ultra') return 'Most popular';
  return id === ENTERPRISE ? 'Enterprise' : null;
}

/**
 * Returns the label and target of a plan's button. The target `checkout` requests the plan from the
 * server. Without a target, the plan is not sold at this interval, and the label states how it is
 * sold.
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
  return { label: `Sold ${priceOf(plan, other) === null ? 'by agreement' : `${other}ly`}`, leadsTo: null };
}

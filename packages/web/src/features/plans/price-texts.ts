import { type BillingInterval, type Plan, UNLIMITED } from '@winnow/contract/plan';

/** Ids of the free plan and of the plan sold by the sales team. */
export const FREE = 'free';
const ENTERPRISE = 'enterprise';

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });
/** Shows cents only if there are any. */
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

/** Returns the price of a plan at an interval; null if not sold at it. */
export function priceOf(plan: Priced, interval: BillingInterval): number | null {
  return interval === 'month' ? plan.price_monthly : plan.price_annually;
}

/**
 * Formats a price: `$20/mo`, `$2,000/yr`, `Free` for 0, and `Custom` without a price or for the
 * enterprise plan.
 */
export function priceText(plan: Priced, interval: BillingInterval): string {
  const price = priceOf(plan, interval);
  if (price === null || plan.id === ENTERPRISE) return 'Custom';
  return price === 0 ? 'Free' : `${dollars.format(price)}/${INTERVAL_ABBREVIATIONS[interval]}`;
}

/**
 * Returns the monthly share of a yearly price, rounded to dollars; null for plans that are free or
 * have no fixed price.
 */
export function monthlyOfYear(plan: Priced): string | null {
  const { id, price_annually: price } = plan;
  if (price === null || price === 0 || id === ENTERPRISE) return null;
  return `~${dollars.format(Math.round(price / 12))}/mo billed annually`;
}

/** Formats a plan limit: `Unlimited` for -1, in full below 1,000, otherwise compact (`10K`). */
export function amountText(amount: number): string {
  if (amount === UNLIMITED) return 'Unlimited';
  return amount < 1000 ? String(amount) : compact.format(amount);
}

/** Moves the free plan first, keeping the order of the others. */
export function freeFirst<P extends Pick<Plan, 'id'>>(plans: readonly P[]): P[] {
  return [...plans.filter(({ id }) => id === FREE), ...plans.filter(({ id }) => id !== FREE)];
}

/** Returns the badge beside a plan's name, or null. */
export function badgeOf({ id }: Pick<Plan, 'id'>): string | null {
  if (id === 'ultra') return 'Most popular';
  return id === ENTERPRISE ? 'Enterprise' : null;
}

/**
 * Returns the label and target of a plan's button. `checkout` stands for a request that returns
 * where to pay. A null target means that the plan is not sold at this interval; the label then
 * tells how it is sold.
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

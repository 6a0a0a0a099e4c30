import type { BillingInterval, Plan } from '@winnow/contract/plan';
import { type AppError, upstreamFailed } from '../../platform/errors.ts';
import type { StripeClient } from './client.ts';
import { intervalOf, listOf, type StripePrice, type StripeSubscription, stripePrice } from './schemas.ts';

/** Returns the lookup key of a plan's price at Stripe, such as `winnow_pro_month`. */
export function lookupKeyOf(planId: string, interval: BillingInterval): string {
  return `winnow_${planId}_${interval}`;
}

/** Returns the price of a plan in US dollars; null if it is not sold in this interval. */
export function dollarsOf(plan: Plan, interval: BillingInterval): number | null {
  return interval === 'month' ? plan.price_monthly : plan.price_annually;
}

/**
 * Returns subscription metadata that names the plan. It identifies the plan after the lookup key
 * has moved to a new price.
 */
export function planMetadata(
  plan: Pick<Plan, 'id'>,
  price: Pick<StripePrice, 'id'>,
): { winnow_plan: string; winnow_price: string } {
  return { winnow_plan: plan.id, winnow_price: price.id };
}

/**
 * Returns the plan id of a subscription; null for something else that the same Stripe account
 * sells.
 */
export function planIdOf({ item: { price }, metadata }: StripeSubscription): string | null {
  const named = /^winnow_([a-z0-9-]+)_(?:month|year)$/.exec(price.lookup_key ?? '')?.[1];
  if (named !== undefined) return named;
  return planIdFromMetadata(metadata, price.id);
}

/** Returns the plan id that {@link planMetadata} stored for a price; null if there is none. */
export function planIdFromMetadata(
  metadata: Readonly<Record<string, string>>,
  priceId: string,
): string | null {
  return metadata.winnow_price === priceId ? (metadata.winnow_plan ?? null) : null;
}

/**
 * Returns the price of a plan at Stripe. 502 if it is missing or differs from the displayed amount:
 * customers must not pay a different price.
 */
export async function priceOf(
  client: StripeClient,
  plan: Plan,
  interval: BillingInterval,
): Promise<StripePrice> {
  const [found] = await pricesOf(client, [{ plan, interval }]);
  if (found?.price == null || found.fault !== null) {
    throw cannotBeBought(found?.fault ?? lookupKeyOf(plan.id, interval));
  }
  return found.price;
}

export interface FoundPrice {
  lookupKey: string;
  price: StripePrice | null;
  /** Fault of the price, for the operator; null if there is none. */
  fault: string | null;
}

/** Maximum lookup keys in one Stripe request. */
const MAX_KEYS_PER_REQUEST = 10;

/** Finds the prices of plans and reports the faults of each. */
export async function pricesOf(
  client: StripeClient,
  asked: readonly { plan: Plan; interval: BillingInterval }[],
): Promise<FoundPrice[]> {
  const keys = asked.map(({ plan, interval }) => lookupKeyOf(plan.id, interval));
  const found: StripePrice[] = [];
  for (let from = 0; from < keys.length; from += MAX_KEYS_PER_REQUEST) {
    const lookup_keys = keys.slice(from, from + MAX_KEYS_PER_REQUEST);
    const { data } = await client.ask(listOf(stripePrice), (stripe) =>
      stripe.prices.list({ lookup_keys, active: true, limit: 100 }),
    );
    found.push(...data);
  }
  return asked.map(({ plan, interval }) => {
    const lookupKey = lookupKeyOf(plan.id, interval);
    const price = found.find(({ lookup_key }) => lookup_key === lookupKey) ?? null;
    return { lookupKey, price, fault: faultOf(lookupKey, price, dollarsOf(plan, interval), interval) };
  });
}

function faultOf(
  lookupKey: string,
  price: StripePrice | null,
  dollars: number | null,
  interval: BillingInterval,
): string | null {
  if (dollars === null) return `${lookupKey} is not sold`;
  const wanted = `$${dollars} a ${interval}`;
  if (price === null) return `no active price has the lookup key ${lookupKey} (${wanted})`;
  const isRight =
    price.currency === 'usd' &&
    price.unit_amount === Math.round(dollars * 100) &&
    intervalOf(price) === interval;
  return isRight ? null : `the price ${lookupKey} is not ${wanted} in US dollars`;
}

function cannotBeBought(fault: string): AppError {
  return upstreamFailed(
    'This plan cannot be bought at the moment: its price is not set up at Stripe. Ask your administrator.',
    new Error(fault),
  );
}

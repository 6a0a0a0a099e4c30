import type { BillingInterval, Plan } from '@winnow/contract/plan';
import { type AppError, upstreamFailed } from '../../platform/errors.ts';
import type { StripeClient } from './client.ts';
import { intervalOf, listOf, type StripePrice, type StripeSubscription, stripePrice } from './schemas.ts';

/** Returns the lookup key of a plan's price at Stripe, such as `winnow_pro_month`. */
export function lookupKeyOf(planId: string, interval: BillingInterval): string {
  return `winnow_${planId}_${interval}`;
}

/**
 * Returns the price of a plan in US dollars for a billing interval; null if the plan is not sold
 * for this interval.
 */
export function dollarsOf(plan: Plan, interval: BillingInterval): number | null {
  return interval === 'month' ? plan.price_monthly : plan.price_annually;
}

/**
 * Returns subscription metadata with the plan's id and its price. It identifies the plan even after
 * the lookup key has moved to a new price.
 */
export function planMetadata(
  plan: Pick<Plan, 'id'>,
  price: Pick<StripePrice, 'id'>,
): { winnow_plan: string; winnow_price: string } {
  return { winnow_plan: plan.id, winnow_price: price.id };
}

/**
 * Returns the plan id of a subscription. Null if the subscription is for a product that is none of
 * our plans.
 */
export function planIdOf({ item: { price }, metadata }: StripeSubscription): string | null {
  const named = /^winnow_([a-z0-9-]+)_(?:month|year)$/.exec(price.lookup_key ?? '')?.[1];
  if (named !== undefined) return named;
  return planIdFromMetadata(metadata, price.id);
}

/** Returns the plan id stored by {@link planMetadata} for this price; null if there is none. */
export function planIdFromMetadata(
  metadata: Readonly<Record<string, string>>,
  priceId: string,
): string | null {
  return metadata.winnow_price === priceId ? (metadata.winnow_plan ?? null) : null;
}

/**
 * Returns Stripe's price of a plan. Throws 502 if the price is missing or differs from the
 * displayed amount, because customers must not pay a different price.
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
  /** Sentence for the operator if the price is missing or wrong; otherwise null. */
  fault: string | null;
}

/** Maximum number of lookup keys in one request to Stripe. */
const MAX_KEYS_PER_REQUEST = 10;

/** Finds Stripe's prices of the given plans. Reports missing and wrong prices as faults. */
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

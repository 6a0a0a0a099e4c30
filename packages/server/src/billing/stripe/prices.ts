import type { BillingInterval, Plan } from '@winnow/contract/plan';
import { type AppError, upstreamFailed } from '../../platform/errors.ts';
import { intervalOf, listOf, type StripePrice, type StripeSubscription, stripePrice } from './answers.ts';
import type { StripeClient } from './client.ts';

/** Under what name Stripe knows the price of a plan: `winnow_pro_month`. */
export function lookupKeyOf(planId: string, interval: BillingInterval): string {
  return `winnow_${planId}_${interval}`;
}

/** What a plan costs, in US dollars; null when it is not sold so. */
export function dollarsOf(plan: Plan, interval: BillingInterval): number | null {
  return interval === 'month' ? plan.price_monthly : plan.price_annually;
}

/** What is noted at a subscription, so that its plan is known when the lookup key has moved on to a new price. */
export function noteOf(
  plan: Pick<Plan, 'id'>,
  price: Pick<StripePrice, 'id'>,
): { winnow_plan: string; winnow_price: string } {
  return { winnow_plan: plan.id, winnow_price: price.id };
}

/** The id of the plan that a subscription is for; null for something else that is sold by the same Stripe account. */
export function planIdOf({ item: { price }, metadata }: StripeSubscription): string | null {
  const named = /^winnow_([a-z0-9-]+)_(?:month|year)$/.exec(price.lookup_key ?? '')?.[1];
  if (named !== undefined) return named;
  return notedPlan(metadata, price.id);
}

/** The id of the plan that {@link noteOf} noted for a price; null when it noted none for it. */
export function notedPlan(metadata: Readonly<Record<string, string>>, priceId: string): string | null {
  return metadata.winnow_price === priceId ? (metadata.winnow_plan ?? null) : null;
}

/**
 * The price at Stripe of a plan. Throws 502 when there is none, or one of another amount than is shown here: nobody pays
 * what they were not told.
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
  /** What is wrong with it, for the operator; null: nothing. */
  fault: string | null;
}

/** The most lookup keys that Stripe takes in one question. */
const KEYS_AT_ONCE = 10;

/** Looks up the prices of plans; each with what is wrong with it. */
export async function pricesOf(
  client: StripeClient,
  asked: readonly { plan: Plan; interval: BillingInterval }[],
): Promise<FoundPrice[]> {
  const keys = asked.map(({ plan, interval }) => lookupKeyOf(plan.id, interval));
  const found: StripePrice[] = [];
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const lookup_keys = keys.slice(from, from + KEYS_AT_ONCE);
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
    'This plan cannot be bought just now: its price is not set up at Stripe. Ask whoever runs this Winnow.',
    new Error(fault),
  );
}

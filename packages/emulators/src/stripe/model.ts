import type Stripe from 'stripe';

/**
 * Converts a type of Stripe's client library to the type of its JSON. Exact decimals are strings
 * there.
 */
type Wire<T> = T extends string
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends (infer Item)[]
      ? Wire<Item>[]
      : T extends object
        ? { [Field in keyof T]: Wire<T[Field]> }
        : T;

export type Customer = Wire<Stripe.Customer>;
export type Price = Wire<Stripe.Price>;
export type Subscription = Wire<Stripe.Subscription>;
export type SubscriptionItem = Wire<Stripe.SubscriptionItem>;
export type Schedule = Wire<Stripe.SubscriptionSchedule>;
export type SchedulePhase = Schedule['phases'][number];
export type Invoice = Wire<Stripe.Invoice>;
export type CheckoutSession = Wire<Stripe.Checkout.Session>;
export type PortalSession = Wire<Stripe.BillingPortal.Session>;
export type Interval = 'month' | 'year';

/** Stripe's test card numbers, named after their behavior. */
export const CARDS = {
  works: '4242424242424242',
  declined: '4000000000000002',
  /** Requires a confirmation by the customer for each payment. */
  asks: '4000002760003184',
} as const;
export type Card = keyof typeof CARDS;

/** Returns the behavior of a card number, which may contain spaces. Unknown cards are declined. */
export function cardOf(number: string): Card {
  const digits = number.replace(/\D/g, '');
  if (digits === CARDS.works) return 'works';
  return digits === CARDS.asks ? 'asks' : 'declined';
}

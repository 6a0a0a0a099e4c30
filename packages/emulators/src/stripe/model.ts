import type Stripe from 'stripe';

/** A type of the official library as it is on the wire, where exact decimals are texts. */
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

/** Stripe's numbers for tests, and what happens when they are charged. */
export const CARDS = {
  works: '4242424242424242',
  declined: '4000000000000002',
  /** The person has to confirm each payment, which they can only while they are there. */
  asks: '4000002760003184',
} as const;
export type Card = keyof typeof CARDS;

/** The card of a number, with or without spaces; one that Stripe does not know is declined. */
export function cardOf(number: string): Card {
  const digits = number.replace(/\D/g, '');
  if (digits === CARDS.works) return 'works';
  return digits === CARDS.asks ? 'asks' : 'declined';
}

import { type BillingInterval, billingInterval } from '@winnow/contract/plan';
import { z } from 'zod';

/** Schema of a Stripe object from which only the id is read. */
export const stripeObject = z.object({ id: z.string() });

/** Schema of a response with the URL of a page at Stripe, such as a payment page. */
export const stripePage = z.object({ url: z.url() });

/** Fields of a price that we read. */
export const stripePrice = z.object({
  id: z.string(),
  active: z.boolean(),
  currency: z.string(),
  lookup_key: z.string().nullable(),
  /** Amount in cents; null for prices without a fixed amount. */
  unit_amount: z.number().nullable(),
  recurring: z.object({ interval: z.string(), interval_count: z.number() }).nullable(),
});
export type StripePrice = z.infer<typeof stripePrice>;

const seconds = z.number().int();

const stripeItem = z.object({
  id: z.string(),
  current_period_start: seconds,
  current_period_end: seconds,
  price: stripePrice,
});

const stripePhase = z.object({
  start_date: seconds,
  end_date: seconds,
  items: z.array(z.object({ price: z.string(), quantity: z.number().default(1) })),
  discounts: z.array(z.object({ discount: z.string().nullable() })),
  metadata: z.record(z.string(), z.string()).nullable(),
});

/** Scheduled changes of a subscription. `current_phase` is null if the schedule has ended. */
export const stripeSchedule = z.object({
  id: z.string(),
  end_behavior: z.string(),
  current_phase: z.object({ start_date: seconds, end_date: seconds }).nullable(),
  phases: z.array(stripePhase),
});
export type StripeSchedule = z.infer<typeof stripeSchedule>;

/** Fields of a subscription that we read. Period and price are those of its first item. */
export const stripeSubscription = z
  .object({
    id: z.string(),
    created: seconds,
    status: z.string(),
    cancel_at: seconds.nullable(),
    cancel_at_period_end: z.boolean(),
    latest_invoice: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullable(),
    metadata: z.record(z.string(), z.string()),
    pending_update: z
      .object({
        expires_at: seconds,
        subscription_items: z.array(z.object({ price: stripePrice })).nullable(),
        metadata: z.record(z.string(), z.string()).nullable(),
      })
      .nullable(),
    schedule: stripeSchedule.nullable(),
    items: z.object({ data: z.tuple([stripeItem], z.unknown()) }),
  })
  .transform(({ items, ...subscription }) => ({ ...subscription, item: items.data[0] }));
export type StripeSubscription = z.infer<typeof stripeSubscription>;

/** A customer with the subscriptions that have not ended, or a deleted customer. */
export const stripeCustomer = z.union([
  z.object({ id: z.string(), deleted: z.literal(true) }),
  z.object({
    id: z.string(),
    deleted: z.undefined().optional(),
    subscriptions: z.object({ data: z.array(stripeSubscription) }),
  }),
]);

/** A customer with its metadata. */
export const stripeNamedCustomer = z.object({
  id: z.string(),
  metadata: z.record(z.string(), z.string()),
});

export const stripeSession = z.object({
  id: z.string(),
  status: z.string().nullable(),
  url: z.url().nullable(),
  payment_status: z.string(),
  customer: z.string().nullable(),
  customer_details: z.object({ email: z.string().nullable() }).nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
});
export type StripeSession = z.infer<typeof stripeSession>;

export const stripeInvoice = z.object({
  id: z.string(),
  status: z.string().nullable(),
  hosted_invoice_url: z.url().nullable(),
});

/** Returns the schema of a list response whose entries match `item`. */
export function listOf<T>(item: z.ZodType<T>) {
  return z.object({ data: z.array(item) });
}

/** Returns the billing interval of a monthly or yearly price; null for any other price. */
export function intervalOf({ recurring }: StripePrice): BillingInterval | null {
  if (recurring?.interval_count !== 1) return null;
  const interval = billingInterval.safeParse(recurring.interval);
  return interval.success ? interval.data : null;
}

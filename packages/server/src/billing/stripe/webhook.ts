import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import type { Db } from '../../schema/tables.ts';
import type { StripeClient } from './client.ts';
import type { Payers } from './payers.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

/** The fields read from an event, which name its subject. The current state is read from Stripe. */
const stripeEvent = z.object({
  id: z.string().max(255),
  type: z.string(),
  data: z.object({
    object: z.object({
      id: z.string(),
      object: z.string(),
      customer: z.unknown().optional(),
      payment_status: z.unknown().optional(),
    }),
  }),
});
type StripeEvent = z.infer<typeof stripeEvent>;

/** Receives Stripe's webhooks. */
export class StripeWebhook {
  readonly #options: {
    db: Db;
    client: StripeClient;
    payers: Payers;
    subscriptions: Subscriptions;
    now: () => Date;
  };

  constructor(options: {
    db: Db;
    client: StripeClient;
    payers: Payers;
    subscriptions: Subscriptions;
    now: () => Date;
  }) {
    this.#options = options;
  }

  /**
   * Handles an event. The event only tells which objects to read again, so its order, repetition
   * and age do not matter. 400 if Stripe has not signed it; 500 if handling failed, so that Stripe
   * sends it again.
   */
  async receive(body: Buffer, signature: string | undefined): Promise<void> {
    const { client, db, now } = this.#options;
    const opened = stripeEvent.safeParse(await client.openWebhook(body, signature));
    if (!opened.success || (await store.isProcessed(db, opened.data.id))) return;
    await this.#carryOut(opened.data).catch((error: unknown) => {
      throw new AppError({
        code: 'internal',
        category: 'internal',
        detail: 'This event could not be processed. Send it again.',
        cause: error instanceof AppError ? (error.cause ?? error) : error,
      });
    });
    await store.markProcessed(db, opened.data.id, now());
  }

  async #carryOut({ type, data: { object } }: StripeEvent): Promise<void> {
    const { db, now, payers, subscriptions } = this.#options;
    if (object.object === 'checkout.session') {
      if (!SETTLING_EVENT_TYPES.has(type)) return;
      await payers.settle(object.id);
      // For an unpaid session, a later event reports the payment.
      if (object.payment_status !== 'unpaid') await store.markProcessed(db, object.id, now());
      return;
    }
    const customer = object.object === 'customer' ? object.id : object.customer;
    if (typeof customer !== 'string' || !SUBSCRIPTION_EVENT_TYPE.test(type)) return;
    const accountId = await store.accountOfCustomer(db, customer);
    if (accountId !== null) await subscriptions.sync(accountId);
  }
}

/** Types of events about sessions that may have been paid. */
const SETTLING_EVENT_TYPES = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
]);
/** Types of events after which an account's subscription may have changed. */
const SUBSCRIPTION_EVENT_TYPE = /^(?:customer\.deleted$|customer\.subscription\.|invoice\.)/;

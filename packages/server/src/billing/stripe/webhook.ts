import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import type { Db } from '../../schema/tables.ts';
import type { StripeClient } from './client.ts';
import type { Payers } from './payers.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Fields of an event that identify the changed object. The current state is read from Stripe. */
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
   * Handles an event. The event only tells which objects to read from Stripe again. Events may
   * therefore arrive late, repeatedly, or in any order. Throws 400 if Stripe has not signed the
   * event. Throws 500 if handling failed, so that Stripe sends the event again.
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
      // A later event reports the payment of an unpaid session, so the session is not marked as
      // processed.
      if (object.payment_status !== 'unpaid') await store.markProcessed(db, object.id, now());
      return;
    }
    const customer = object.object === 'customer' ? object.id : object.customer;
    if (typeof customer !== 'string' || !SUBSCRIPTION_EVENT_TYPE.test(type)) return;
    const accountId = await store.accountOfCustomer(db, customer);
    if (accountId !== null) await subscriptions.sync(accountId);
  }
}

/** Types of events about checkout sessions that may have been paid. */
const SETTLING_EVENT_TYPES = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
]);
/** Matches types of events that may change an account's subscription. */
const SUBSCRIPTION_EVENT_TYPE = /^(?:customer\.deleted$|customer\.subscription\.|invoice\.)/;

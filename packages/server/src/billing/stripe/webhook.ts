import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import type { Db } from '../../schema/tables.ts';
import type { StripeClient } from './client.ts';
import type { Payers } from './payers.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

/** What is read of an event: what it is about. How that is now is asked of Stripe. */
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

/** Hears from Stripe that something has happened. */
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
   * Takes in an event. It only says where to look: everything is read anew from Stripe, so that order, repetition and age
   * of events do not matter. 400 for what Stripe has not signed; 500 when the work failed, so that Stripe sends it again.
   */
  async receive(body: Buffer, signature: string | undefined): Promise<void> {
    const { client, db, now } = this.#options;
    const opened = stripeEvent.safeParse(await client.openWebhook(body, signature));
    if (!opened.success || (await store.isCarriedOut(db, opened.data.id))) return;
    await this.#carryOut(opened.data).catch((error: unknown) => {
      throw new AppError({
        code: 'internal',
        status: 500,
        detail: 'This event could not be carried out. Send it again.',
        cause: error instanceof AppError ? (error.cause ?? error) : error,
      });
    });
    await store.noteCarriedOut(db, opened.data.id, now());
  }

  async #carryOut({ type, data: { object } }: StripeEvent): Promise<void> {
    const { db, now, payers, subscriptions } = this.#options;
    if (object.object === 'checkout.session') {
      if (!SETTLING.has(type)) return;
      await payers.settle(object.id);
      // What is paid later is settled later.
      if (object.payment_status !== 'unpaid') await store.noteCarriedOut(db, object.id, now());
      return;
    }
    const customer = object.object === 'customer' ? object.id : object.customer;
    if (typeof customer !== 'string' || !ABOUT_PAYING.test(type)) return;
    const accountId = await store.accountOfCustomer(db, customer);
    if (accountId !== null) await subscriptions.sync(accountId);
  }
}

/** The types of events about sessions that may have been paid. */
const SETTLING = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded']);
/** The types of events after which an account may pay for something else. */
const ABOUT_PAYING = /^(?:customer\.deleted$|customer\.subscription\.|invoice\.)/;

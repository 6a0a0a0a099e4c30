import type { CheckoutAnswer, CheckoutRequest, Subscription } from '@winnow/contract/plan';
import { conflict, invalid, notFound } from '../../platform/errors.ts';
import type { Payments } from '../payments.ts';
import { cancelWaitingChange, changePlan } from './change-plan.ts';
import type { Checkout } from './checkout.ts';
import type { StripeClient } from './client.ts';
import { presentSubscription } from './present.ts';
import { listOf, stripePage, stripeSession } from './schemas.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface StripeBillingOptions {
  client: StripeClient;
  subscriptions: Subscriptions;
  checkout: Checkout;
  /** Public address of this installation. */
  publicUrl: () => string;
  now: () => Date;
}

/** Implements {@link Payments} with Stripe. */
export class StripeBilling implements Payments {
  readonly #options: StripeBillingOptions;

  constructor(options: StripeBillingOptions) {
    this.#options = options;
  }

  async subscription(accountId: string): Promise<Subscription> {
    const paid = presentSubscription(await this.#options.subscriptions.find(accountId));
    if (paid === null) throw notFound();
    return paid;
  }

  async sync(accountId: string): Promise<void> {
    await this.#options.subscriptions.sync(accountId);
  }

  /**
   * Implements {@link Payments.portal}. Throws 422 if `returnUrl` is outside this site. Throws 409
   * if the account has never paid.
   */
  async portal(accountId: string, returnUrl: string): Promise<string> {
    const { publicUrl, subscriptions } = this.#options;
    const { href, origin, password, protocol, username } = new URL(returnUrl);
    const isOfSite = /^https?:$/.test(protocol) && origin === new URL(publicUrl()).origin;
    if (!isOfSite || username !== '' || password !== '') {
      throw invalid([{ path: 'return_url', message: `This must be an address of ${publicUrl()}.` }]);
    }
    const row = await subscriptions.find(accountId);
    if (row === undefined) {
      throw conflict('nothing_paid', 'There is nothing to manage yet: this account has not paid for a plan.');
    }
    // Sends the parsed URL, because Stripe might interpret the original text differently.
    return this.#portalOf(row.customer_id, href);
  }

  /**
   * Implements {@link Payments.buy}. Refuses requests as {@link Checkout.offerOf} and {@link
   * changePlan} do.
   */
  async buy(accountId: string, request: CheckoutRequest): Promise<CheckoutAnswer> {
    const { checkout, client, now, publicUrl, subscriptions } = this.#options;
    const offer = await checkout.offerOf(accountId, request);
    // If the customer was deleted at Stripe, the sync also deletes the stored customer.
    const known = await subscriptions.sync(accountId);
    const customerId = await checkout.customerOf(accountId);
    if (known === null || known.current === null) {
      return { action: 'redirect', url: await checkout.paymentPageFor(customerId, offer) };
    }
    const back = new URL('/console/settings/subscription', publicUrl()).href;
    const portalPage = () => this.#portalOf(customerId, back);
    const page = await changePlan(client, known.current, offer, { portalPage, now });
    await subscriptions.sync(accountId);
    return page === null ? { action: 'refresh' } : { action: 'redirect', url: page };
  }

  async cancelWaiting(accountId: string): Promise<void> {
    const { client, subscriptions } = this.#options;
    const current = (await subscriptions.sync(accountId))?.current ?? null;
    const isCanceled = current !== null && (await cancelWaitingChange(client, current));
    await subscriptions.sync(accountId);
    if (isCanceled) return;
    throw conflict(
      'nothing_waits',
      'No change of plan is waiting for payment: it was paid, or it has expired.',
    );
  }

  async buyAsVisitor(request: CheckoutRequest): Promise<CheckoutAnswer> {
    const { checkout } = this.#options;
    return {
      action: 'redirect',
      url: await checkout.paymentPageForVisitor(await checkout.offerOf(null, request)),
    };
  }

  /**
   * Ends all subscriptions and closes all open payment pages of an account immediately. Throws if
   * any of them remains. Safe to repeat.
   */
  async endForAccount(accountId: string): Promise<void> {
    const { client, subscriptions } = this.#options;
    const customer = (await subscriptions.find(accountId))?.customer_id;
    if (customer === undefined) return;
    // If the customer does not exist at Stripe, the sync deletes the stored customer and returns
    // null.
    if ((await subscriptions.sync(accountId)) === null) return;
    const { data: open } = await client.ask(listOf(stripeSession), (stripe) =>
      stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }),
    );
    for (const { id } of open) {
      await client.ask(stripeSession, (stripe) => stripe.checkout.sessions.expire(id));
    }
    await subscriptions.end(customer);
    await subscriptions.sync(accountId);
  }

  async #portalOf(customer: string, return_url: string): Promise<string> {
    const { url } = await this.#options.client.ask(stripePage, (stripe) =>
      stripe.billingPortal.sessions.create({ customer, return_url }),
    );
    return url;
  }
}

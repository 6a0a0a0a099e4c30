import type { BillingInterval, CheckoutRequest, Plan } from '@winnow/contract/plan';
import type Stripe from 'stripe';
import { conflict, invalid, notFound, upstreamFailed } from '../../platform/errors.ts';
import { SingleFlight } from '../../platform/single-flight.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountPlans } from '../plans/account-plans.ts';
import { publicPlan } from '../plans/plans.ts';
import type { StripeClient } from './client.ts';
import { dollarsOf, planMetadata, priceOf } from './prices.ts';
import { listOf, type StripePrice, stripeObject, stripePage, stripeSession } from './schemas.ts';
import * as store from './store.ts';

export interface CheckoutOptions {
  db: Db;
  client: StripeClient;
  plans: AccountPlans;
  /** Public address of this installation. */
  publicUrl: () => string;
  /** Returns the email address of an account's owner. */
  emailOf: (accountId: string) => Promise<string>;
}

/** A plan for sale, with its billing interval and its price at Stripe. */
export interface Offer {
  plan: Plan;
  interval: BillingInterval;
  price: StripePrice;
}

/**
 * Maximum number of a customer's latest checkout sessions that are read. Stripe expires a session
 * after a day.
 */
const MAX_SESSIONS_CHECKED = 100;

/** Creates Stripe's checkout pages, on which customers pay for a plan for the first time. */
export class Checkout {
  readonly #options: CheckoutOptions;
  readonly #makingCustomers = new SingleFlight<string>();

  constructor(options: CheckoutOptions) {
    this.#options = options;
  }

  /**
   * Returns the requested offer. `accountId` is null for a visitor. Throws 404 for an unknown plan,
   * and for a custom plan of another account. Throws 422 for a plan that is not sold. Throws 502 if
   * the plan's price is missing at Stripe.
   */
  async offerOf(accountId: string | null, { plan_id, interval }: CheckoutRequest): Promise<Offer> {
    const { client, plans } = this.#options;
    const plan = accountId === null ? publicPlan(plan_id) : await plans.find(accountId, plan_id);
    if (plan === null) throw notFound();
    const dollars = dollarsOf(plan, interval);
    if (!plan.price_monthly && !plan.price_annually) {
      throw invalid([{ path: 'plan_id', message: notSold(plan) }]);
    }
    if (!dollars) {
      const billing = interval === 'month' ? 'Monthly' : 'Yearly';
      const message = `${billing} billing is not available for the ${plan.name} plan.`;
      throw invalid([{ path: 'interval', message }]);
    }
    return { plan, interval, price: await priceOf(client, plan, interval) };
  }

  /** Returns the id of the account's customer at Stripe. Creates the customer on the first call. */
  customerOf(accountId: string): Promise<string> {
    return this.#makingCustomers.run(accountId, () => this.#customerOf(accountId));
  }

  /**
   * Returns the URL of the page on which a customer pays for an offer. A customer has only one open
   * page. Repeated calls return that page, and pages for other offers are closed. Throws 409 if
   * another offer was just paid for.
   */
  async paymentPageFor(customer: string, offer: Offer): Promise<string> {
    const { client, publicUrl } = this.#options;
    const { data: sessions } = await client.ask(listOf(stripeSession), (stripe) =>
      stripe.checkout.sessions.list({ customer, limit: MAX_SESSIONS_CHECKED }),
    );
    const open = sessions.filter(({ status }) => status === 'open');
    const same = open.find(({ metadata }) => metadata?.winnow_price === offer.price.id);
    for (const { id } of open) if (id !== same?.id) await this.#close(id);
    if (same?.url != null) return same.url;
    const settings = new URL('/console/settings/subscription', publicUrl());
    return this.#open(
      {
        ...this.#bought(offer),
        customer,
        success_url: `${settings.href}?message=Thank_you._Your_payment_went_through.`,
        cancel_url: settings.href,
      },
      // Two concurrent calls see the same latest session. The idempotency key lets only one of them
      // create a new session.
      { idempotencyKey: `winnow:session:${customer}:${offer.price.id}:${sessions[0]?.id ?? 'first'}` },
    );
  }

  /**
   * Returns the URL of the page on which a visitor pays. The visitor may not have an account yet.
   */
  async paymentPageForVisitor(offer: Offer): Promise<string> {
    const { publicUrl } = this.#options;
    return this.#open({
      ...this.#bought(offer),
      success_url: new URL('/welcome?checkout=done', publicUrl()).href,
      cancel_url: new URL('/pricing', publicUrl()).href,
    });
  }

  async #customerOf(accountId: string): Promise<string> {
    const { client, db, emailOf } = this.#options;
    const known = await store.findSubscription(db, accountId);
    if (known !== undefined) return known.customer_id;
    const email = await emailOf(accountId);
    // Calls Stripe without holding a database connection. If two processes create a customer, the
    // one stored first is used.
    const { id } = await client.ask(stripeObject, (stripe) =>
      stripe.customers.create({ email, metadata: { winnow_account: accountId } }),
    );
    const kept = await db.transaction().execute(async (transaction) => {
      await store.lockPayer(transaction, accountId);
      const present = await store.findSubscription(transaction, accountId);
      if (present !== undefined) return present.customer_id;
      await store.setCustomer(transaction, accountId, id);
      return id;
    });
    if (kept !== id) {
      // Another process stored a customer first. Deletes the customer created here, which has no
      // subscription.
      await client.ask(stripeObject, (stripe) => stripe.customers.del(id)).catch(() => undefined);
    }
    return kept;
  }

  #bought({ plan, price }: Offer) {
    const note = planMetadata(plan, price);
    return {
      mode: 'subscription' as const,
      line_items: [{ price: price.id, quantity: 1 }],
      // Marks the session as ours: other software may sell through the same Stripe account.
      metadata: { winnow_site: this.#options.publicUrl(), ...note },
      subscription_data: { metadata: note },
    };
  }

  async #open(
    params: Stripe.Checkout.SessionCreateParams,
    options: Stripe.RequestOptions = {},
  ): Promise<string> {
    const { url } = await this.#options.client.ask(stripePage, (stripe) =>
      stripe.checkout.sessions.create(params, options),
    );
    return url;
  }

  async #close(sessionId: string): Promise<void> {
    const { client } = this.#options;
    const now = await client
      .ask(stripeSession, (stripe) => stripe.checkout.sessions.expire(sessionId))
      .catch(() => client.ask(stripeSession, (stripe) => stripe.checkout.sessions.retrieve(sessionId)));
    if (now.status === 'complete') throw paidJustNow();
    if (now.status === 'open') throw upstreamFailed('Stripe did not close an earlier payment. Try again.');
  }
}

function notSold(plan: Plan): string {
  return plan.price_monthly === null
    ? `The ${plan.name} plan is sold by agreement: request a demo.`
    : `The ${plan.name} plan costs nothing. To go back to it, cancel in Stripe.`;
}

function paidJustNow() {
  return conflict(
    'paid_just_now',
    'Another plan was paid for a moment ago. Check your subscription before you choose again.',
  );
}

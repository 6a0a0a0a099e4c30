import type { Log } from '../../platform/log.ts';
import type { Db } from '../../schema/tables.ts';
import { givesItsPlan, type PlansOfAccounts } from '../plans-of-accounts.ts';
import { intervalOf, type StripeSubscription, stripeCustomer } from './answers.ts';
import type { StripeClient } from './client.ts';
import { planIdOf } from './prices.ts';
import * as store from './store.ts';

export interface SubscriptionsOptions {
  db: Db;
  client: StripeClient;
  plans: PlansOfAccounts;
  log: Log;
  /** What an account pays for is not what it was. */
  onChanged: (accountId: string) => Promise<void>;
}

/** What Stripe says of an account's customer. */
export interface CustomerReading {
  /** The subscription that counts; null when there is none. */
  current: StripeSubscription | null;
  /** How many there are that have not ended: more than one is paid twice. */
  count: number;
}

/** Ended, or never begun: its first payment was not made. */
const NOT_GOING_ON = new Set(['canceled', 'incomplete', 'incomplete_expired']);

/** Reads from Stripe what accounts pay for, and keeps it. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  find(accountId: string): Promise<store.SubscriptionRow | undefined> {
    return store.findSubscription(this.#options.db, accountId);
  }

  /**
   * Asks Stripe what the account pays for, and keeps the answer; null when nobody pays for it. Whoever asked last has the
   * last word, in whatever order answers arrive. Throws 502, and changes nothing, when Stripe does not answer.
   */
  async sync(accountId: string): Promise<CustomerReading | null> {
    const { db } = this.#options;
    const before = await this.find(accountId);
    if (before === undefined) return null;
    const customerId = before.customer_id;
    const readAt = await store.timeOfDatabase(db);
    const subscriptions = await this.ofCustomer(customerId);
    if (subscriptions === null) await store.removeCustomer(db, accountId, customerId);
    const current = subscriptions?.[0] ?? null;
    if (subscriptions !== null) {
      const reading = current === null ? null : readingOf(current);
      await store.keepReading(db, { accountId, customerId, readAt }, reading);
      await this.#warn(accountId, subscriptions);
    }
    const after = await this.find(accountId);
    if (JSON.stringify(after) !== JSON.stringify(before)) await this.#options.onChanged(accountId);
    return subscriptions === null ? null : { current, count: subscriptions.length };
  }

  /** The subscriptions of a customer that go on, the one that counts first; null for a customer that was deleted. */
  async ofCustomer(customerId: string): Promise<StripeSubscription[] | null> {
    const customer = await this.#options.client.ask(stripeCustomer, (stripe) =>
      stripe.customers.retrieve(customerId, { expand: ['subscriptions'] }),
    );
    if (customer.deleted) return null;
    return customer.subscriptions.data
      .filter(({ status }) => !NOT_GOING_ON.has(status))
      .sort(
        (a, b) => Number(givesItsPlan(b.status)) - Number(givesItsPlan(a.status)) || b.created - a.created,
      );
  }

  /** Tells the operator of accounts that pay for a plan that there is no more. */
  async warnOfMissingPlans(): Promise<void> {
    for (const { account_id, plan_id } of await store.paidPlans(this.#options.db)) {
      await this.#warnOfMissingPlan(account_id, plan_id);
    }
  }

  async #warn(accountId: string, subscriptions: readonly StripeSubscription[]): Promise<void> {
    const [current, ...others] = subscriptions;
    if (current !== undefined) await this.#warnOfMissingPlan(accountId, planIdOf(current));
    if (others.length === 0) return;
    this.#options.log.warn(
      { accountId, counts: current?.id, others: others.map(({ id }) => id) },
      'An account pays for more than one subscription: cancel the others in Stripe, and refund them.',
    );
  }

  async #warnOfMissingPlan(accountId: string, planId: string | null): Promise<void> {
    const { log, plans } = this.#options;
    if (planId !== null && (await plans.find(accountId, planId)) !== null) return;
    log.warn({ accountId, planId }, 'An account pays for a plan that there is not: it is treated as Free.');
  }
}

function readingOf(subscription: StripeSubscription): store.Reading {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('A subscription has an item.');
  const { cancel_at, cancel_at_period_end } = subscription;
  return {
    subscription_id: subscription.id,
    plan_id: planIdOf(subscription),
    interval: intervalOf(item.price),
    status: subscription.status,
    current_period_start: instant(item.current_period_start),
    current_period_end: instant(cancel_at ?? item.current_period_end),
    cancel_at_period_end: cancel_at_period_end || cancel_at !== null,
  };
}

function instant(seconds: number): Date {
  return new Date(seconds * 1000);
}

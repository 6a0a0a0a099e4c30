import { subscriptionStatus } from '@winnow/contract/plan';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountPlans } from '../plans/account-plans.ts';
import { finishChange } from './change-plan.ts';
import { isMissing, type StripeClient } from './client.ts';
import { planIdOf } from './prices.ts';
import { release, resumeScheduledChange, scheduledPlanOf } from './schedule.ts';
import { intervalOf, type StripeSubscription, stripeCustomer, stripeObject } from './schemas.ts';
import * as store from './store.ts';

export interface SubscriptionsOptions {
  db: Db;
  client: StripeClient;
  plans: AccountPlans;
  log: Log;
  now: () => Date;
  /** Called when the stored subscription of an account changed. */
  onChanged: (accountId: string) => Promise<void>;
}

/** The subscriptions of an account's customer, as read from Stripe. */
export interface CustomerSubscriptions {
  /**
   * The subscription that determines the plan: one that grants a plan, otherwise the newest. Null
   * if there is none.
   */
  current: StripeSubscription | null;
  /**
   * Number of subscriptions that have not ended. More than one means that the customer pays twice.
   */
  count: number;
}

/**
 * Statuses of subscriptions that have ended. A subscription whose first payment is unconfirmed has
 * not ended.
 */
const ENDED_STATUSES = new Set(['canceled', 'incomplete_expired']);

/** Reads the subscriptions of accounts from Stripe and stores them. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  find(accountId: string): Promise<store.SubscriptionRow | undefined> {
    return store.findSubscription(this.#options.db, accountId);
  }

  /**
   * Reads the account's subscription from Stripe and stores it. Then completes a plan change that
   * was paid. Returns null if the account has no customer. If calls run concurrently, the call that
   * started last determines the stored state.
   *
   * If Stripe does not respond, throws `upstream_failed` and keeps the stored state. With
   * `keepUnknown`, the same applies if Stripe does not know the customer: a wrong Stripe key must
   * not delete customers.
   */
  async sync(accountId: string, { keepUnknown = false } = {}): Promise<CustomerSubscriptions | null> {
    const { client, db, log, now } = this.#options;
    const before = await this.find(accountId);
    if (before === undefined) return null;
    const customerId = before.customer_id;
    const readAt = await store.databaseTime(db);
    const subscriptions = await this.listOngoing(customerId, keepUnknown);
    if (subscriptions === null) {
      await store.removeCustomer(db, accountId, customerId);
      log.warn(
        { accountId, customer: customerId, subscription: before.subscription_id },
        'Stripe does not know the customer of an account: it is on the Free plan and can buy again.',
      );
      await this.#options.onChanged(accountId);
      return null;
    }
    const [current = null] = subscriptions;
    const place = { accountId, customerId };
    await this.#save({ ...place, readAt }, current);
    await this.#warn(accountId, subscriptions);
    const finishedAt = await store.databaseTime(db);
    const finished =
      current === null
        ? null
        : ((await finishChange(client, current)) ?? (await resumeScheduledChange(client, current, now())));
    if (finished !== null) await this.#save({ ...place, readAt: finishedAt }, finished);
    return { current: finished ?? current, count: subscriptions.length };
  }

  /**
   * Returns the subscriptions of a customer that have not ended. The first one determines the plan.
   * Null if the customer does not exist at Stripe.
   */
  async listOngoing(customerId: string, keepUnknown = false): Promise<StripeSubscription[] | null> {
    const all = await this.#allOf(customerId, keepUnknown);
    if (all === null) return null;
    return all
      .filter(({ status }) => subscriptionStatus(status).isOngoing)
      .sort((a, b) => grantsPlan(b) - grantsPlan(a) || b.created - a.created);
  }

  /**
   * Cancels all subscriptions of a customer immediately, even those whose first payment is
   * incomplete.
   */
  async end(customerId: string): Promise<void> {
    const { client } = this.#options;
    for (const subscription of (await this.#allOf(customerId)) ?? []) {
      if (ENDED_STATUSES.has(subscription.status)) continue;
      await release(client, subscription);
      await client.ask(stripeObject, (stripe) => stripe.subscriptions.cancel(subscription.id));
    }
  }

  /** Warns the operator of accounts that pay for a deleted plan. */
  async warnOfMissingPlans(): Promise<void> {
    for (const { account_id, plan_id } of await store.paidPlans(this.#options.db)) {
      await this.#warnOfMissingPlan(account_id, plan_id);
    }
  }

  async #allOf(customerId: string, keepUnknown = false): Promise<StripeSubscription[] | null> {
    const customer = await this.#options.client
      .ask(stripeCustomer, (stripe) =>
        stripe.customers.retrieve(customerId, { expand: ['subscriptions', 'subscriptions.data.schedule'] }),
      )
      .catch((error: unknown) => {
        if (isMissing(error) && !keepUnknown) return null;
        throw error;
      });
    return customer === null || customer.deleted ? null : customer.subscriptions.data;
  }

  async #save(
    place: { accountId: string; customerId: string; readAt: string },
    current: StripeSubscription | null,
  ): Promise<void> {
    const { db, onChanged } = this.#options;
    const before = await this.find(place.accountId);
    await store.saveSubscriptionState(db, place, current === null ? null : subscriptionStateOf(current));
    const after = await this.find(place.accountId);
    if (JSON.stringify(after) !== JSON.stringify(before)) await onChanged(place.accountId);
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
    log.warn({ accountId, planId }, 'An account pays for an unknown plan: it is treated as Free.');
  }
}

function grantsPlan({ status }: StripeSubscription): number {
  return Number(subscriptionStatus(status).grantsPlan);
}

function subscriptionStateOf(subscription: StripeSubscription): store.SubscriptionState {
  const { cancel_at, cancel_at_period_end, item } = subscription;
  const scheduled = scheduledPlanOf(subscription);
  return {
    subscription_id: subscription.id,
    plan_id: planIdOf(subscription),
    interval: intervalOf(item.price),
    status: subscription.status,
    current_period_start: instant(item.current_period_start),
    current_period_end: instant(cancel_at ?? item.current_period_end),
    cancel_at_period_end: cancel_at_period_end || cancel_at !== null,
    pending_change:
      scheduled === null
        ? null
        : { plan_id: scheduled.plan.id, interval: scheduled.interval, at: scheduled.at.toISOString() },
    waiting_change: waitingChangeOf(subscription),
  };
}

/**
 * Returns the plan change that is waiting for its payment. Null if no change to one of our plans is
 * waiting.
 */
function waitingChangeOf(subscription: StripeSubscription): store.SubscriptionState['waiting_change'] {
  const { item, pending_update: update } = subscription;
  const price = update?.subscription_items?.[0]?.price;
  if (update === null || price === undefined) return null;
  const planId = planIdOf({ ...subscription, item: { ...item, price }, metadata: update.metadata ?? {} });
  const interval = intervalOf(price);
  if (planId === null || interval === null) return null;
  return { plan_id: planId, interval, until: instant(update.expires_at).toISOString() };
}

function instant(seconds: number): Date {
  return new Date(seconds * 1000);
}

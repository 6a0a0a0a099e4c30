import { type PaidPlan, startsImmediately, subscriptionStatus } from '@winnow/contract/plan';
import { conflict, upstreamFailed } from '../../platform/errors.ts';
import type { Offer } from './checkout.ts';
import type { StripeClient } from './client.ts';
import { dollarsOf, planIdOf, planMetadata } from './prices.ts';
import {
  changeAtPeriodEnd,
  release,
  scheduledPlanFromMetadata,
  scheduledPlanMetadata,
  scheduledPlanOf,
  storeScheduledPlan,
} from './schedule.ts';
import {
  intervalOf,
  type StripeSubscription,
  stripeInvoice,
  stripeObject,
  stripeSubscription,
} from './schemas.ts';

/**
 * Changes the plan of a subscription. A plan that costs at least as much begins immediately: Stripe
 * credits the rest of the paid period and charges the difference. A cheaper plan begins when the
 * paid period ends, without a refund.
 *
 * Returns the page on which the user must pay the difference first. Returns null if no payment is
 * needed; {@link finishChange} then completes the change.
 *
 * Choosing the current plan cancels a scheduled change or a cancellation. If there is neither,
 * throws 409.
 */
export async function changePlan(
  client: StripeClient,
  subscription: StripeSubscription,
  offer: Offer,
  { portalPage, now }: { portalPage: () => Promise<string>; now: () => Date },
): Promise<string | null> {
  const { item } = subscription;
  const interval = intervalOf(item.price);
  const planId = planIdOf(subscription);
  // The metadata may contain a scheduled change whose schedule was released by a process that
  // crashed.
  const scheduled = scheduledPlanOf(subscription) ?? scheduledPlanFromMetadata(subscription);
  if (planId === offer.plan.id && interval === offer.interval) {
    if (scheduled !== null || isEnding(subscription)) {
      await keepPlan(client, subscription, now());
      return null;
    }
    throw conflict(
      'current_plan',
      `You are already on the ${offer.plan.name} plan, billed ${offer.interval}ly.`,
    );
  }
  // The plan of an unpaid subscription cannot change: the user must first pay the due invoice.
  if (!subscriptionStatus(subscription.status).isPaid) {
    return (await unpaidPage(client, subscription)) ?? (await portalPage());
  }
  const dollars = (item.price.unit_amount ?? 0) / 100;
  const paid: PaidPlan = { plan_id: planId, dollars, interval: interval ?? 'year' };
  // A trial has no paid time to lose, so every plan begins immediately.
  if (subscription.status !== 'trialing' && !startsImmediately(paid, paidPlanOf(offer))) {
    if (subscription.pending_update !== null) throw paymentPending();
    await keepPlan(client, subscription, now());
    await changeAtPeriodEnd(client, subscription, offer);
    return null;
  }
  const withdraws = isEnding(subscription) ? WITHDRAW_END : scheduled === null ? null : WITHDRAW_CHANGE;
  if (isAlreadyPending(subscription, offer, withdraws)) {
    const page = await unpaidPage(client, subscription);
    if (page !== null) return page;
  }
  // Stores the scheduled change in the metadata while its schedule is released. The scheduled
  // change remains valid until the new price applies.
  if (scheduled !== null) await storeScheduledPlan(client, subscription, scheduled, now());
  // Releases the schedule, because Stripe cannot change the price of a subscription that has one.
  await release(client, subscription);
  const putBack = async () => {
    if (scheduled === null) return;
    await changeAtPeriodEnd(client, subscription, scheduled);
    await storeScheduledPlan(client, subscription, null, now());
  };
  const changed = await client
    .ask(stripeSubscription, (stripe) =>
      stripe.subscriptions.update(
        subscription.id,
        {
          items: [{ id: item.id, price: offer.price.id }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'pending_if_incomplete',
          // Stripe copies this metadata to the subscription when the new price applies.
          metadata: {
            ...planMetadata(offer.plan, offer.price),
            ...(withdraws === null ? {} : { winnow_withdraws: withdraws }),
            ...(scheduled === null ? {} : scheduledPlanMetadata(null, now())),
          },
        },
        // Every change creates an invoice. The idempotency key therefore merges concurrent calls
        // and separates consecutive changes.
        {
          idempotencyKey: `winnow:change:${subscription.id}:${item.price.id}:${offer.price.id}:${subscription.latest_invoice}:${withdraws}`,
        },
      ),
    )
    .catch(async (error: unknown) => {
      await putBack();
      throw error;
    });
  if (changed.pending_update === null) return null;
  await putBack();
  const page = await unpaidPage(client, changed);
  if (page === null) throw upstreamFailed('Stripe did not say where to pay. Try again in a few minutes.');
  return page;
}

/**
 * Values of the metadata key `winnow_withdraws`: a paid plan change replaces a cancellation (`end`)
 * or a scheduled change (`change`).
 */
const WITHDRAW_END = 'end';
const WITHDRAW_CHANGE = 'change';

/**
 * Completes a paid plan change: withdraws the cancellation or scheduled change that it replaces.
 * The subscription's metadata tells which. Returns the updated subscription; null if there is
 * nothing to withdraw.
 *
 * Safe to call concurrently. Preserves cancellations and changes that the user requests later.
 */
export async function finishChange(
  client: StripeClient,
  subscription: StripeSubscription,
): Promise<StripeSubscription | null> {
  const { id, item, metadata } = subscription;
  const withdraws = metadata.winnow_withdraws;
  if (withdraws === undefined || metadata.winnow_price !== item.price.id) return null;
  if (withdraws === WITHDRAW_CHANGE) await release(client, subscription);
  return client.ask(stripeSubscription, (stripe) =>
    stripe.subscriptions.update(id, {
      ...(withdraws === WITHDRAW_END ? uncancelFields(subscription) : {}),
      metadata: { winnow_withdraws: '' },
      expand: ['schedule'],
    }),
  );
}

function paidPlanOf({ plan, interval }: Offer): PaidPlan {
  return { plan_id: plan.id, dollars: dollarsOf(plan, interval) ?? 0, interval };
}

/**
 * True if this change is already waiting for its payment and replaces the same cancellation or
 * scheduled change.
 */
function isAlreadyPending(
  { pending_update }: StripeSubscription,
  { price }: Offer,
  withdraws: string | null,
): boolean {
  if (pending_update?.subscription_items?.[0]?.price.id !== price.id) return false;
  return withdraws === null || pending_update.metadata?.winnow_withdraws === withdraws;
}

/**
 * Cancels a plan change that is waiting for its payment, by voiding its invoice. Returns false if
 * no change is waiting or its invoice was paid.
 */
export async function cancelWaitingChange(
  client: StripeClient,
  { latest_invoice: invoiceId, pending_update: update }: StripeSubscription,
): Promise<boolean> {
  if (update === null || invoiceId === null) return false;
  const invoice = await client.ask(stripeInvoice, (stripe) => stripe.invoices.retrieve(invoiceId));
  if (invoice.status !== 'open') return false;
  await client.ask(stripeInvoice, (stripe) => stripe.invoices.voidInvoice(invoiceId));
  return true;
}

function paymentPending() {
  return conflict(
    'payment_waits',
    'A change to another plan waits for its payment. Pay it in Stripe, or choose again in a day.',
  );
}

/** Returns the payment page of the latest invoice; null if it is not open. */
async function unpaidPage(
  client: StripeClient,
  { latest_invoice }: StripeSubscription,
): Promise<string | null> {
  if (latest_invoice === null) return null;
  const invoice = await client.ask(stripeInvoice, (stripe) => stripe.invoices.retrieve(latest_invoice));
  return invoice.status === 'open' ? invoice.hosted_invoice_url : null;
}

/** Keeps a subscription on its current plan: cancels a scheduled change or a cancellation. */
async function keepPlan(client: StripeClient, subscription: StripeSubscription, now: Date): Promise<void> {
  if (scheduledPlanFromMetadata(subscription) !== null)
    await storeScheduledPlan(client, subscription, null, now);
  await release(client, subscription);
  if (!isEnding(subscription)) return;
  await client.ask(stripeObject, (stripe) =>
    stripe.subscriptions.update(subscription.id, uncancelFields(subscription)),
  );
}

/** Returns the update that revokes the cancellation of a subscription. */
function uncancelFields({ cancel_at, cancel_at_period_end }: StripeSubscription) {
  if (cancel_at_period_end) return { cancel_at_period_end: false };
  return cancel_at === null ? {} : { cancel_at: '' as const };
}

function isEnding({ cancel_at, cancel_at_period_end }: StripeSubscription): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

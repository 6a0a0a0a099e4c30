import { beginsAtOnce, type PaidPlan, subscriptionStatus } from '@winnow/contract/plan';
import { conflict, upstreamFailed } from '../../platform/errors.ts';
import { intervalOf, type StripeSubscription, stripeInvoice, stripeSubscription } from './answers.ts';
import type { Offer } from './checkout.ts';
import type { StripeClient } from './client.ts';
import { dollarsOf, planIdOf } from './prices.ts';
import { changeAtPeriodEnd, pendingChangeOf, release } from './schedule.ts';

/**
 * Puts a subscription on another plan. One that costs no less is had at once: what is left of the paid period is set off,
 * and the difference is charged. Every other is had when that period has ended, and nothing is given back. Answers the
 * address of the page where the person has to pay first, or null when it is done: the plan changes only once the
 * difference is paid. Chosen again, the plan that it is on takes back a change or an end that is to come; else 409.
 */
export async function changePlan(
  client: StripeClient,
  subscription: StripeSubscription,
  offer: Offer,
  portalPage: () => Promise<string>,
): Promise<string | null> {
  const { item } = subscription;
  const interval = intervalOf(item.price);
  const planId = planIdOf(subscription);
  if (planId === offer.plan.id && interval === offer.interval) {
    if (pendingChangeOf(subscription) !== null || isEnding(subscription)) {
      await keepOn(client, subscription);
      return null;
    }
    throw conflict(
      'current_plan',
      `You are on the ${offer.plan.name} plan by the ${offer.interval} already.`,
    );
  }
  // Changing plans needs nothing of the person but what was owed before.
  if (!subscriptionStatus(subscription.status).isPaid) {
    return (await unpaidPage(client, subscription)) ?? (await portalPage());
  }
  const dollars = (item.price.unit_amount ?? 0) / 100;
  const paid: PaidPlan = { plan_id: planId, dollars, interval: interval ?? 'year' };
  // During a trial nothing is paid that could be given back.
  if (subscription.status !== 'trialing' && !beginsAtOnce(paid, asked(offer))) {
    if (subscription.pending_update !== null) throw paymentWaits();
    await keepOn(client, subscription);
    await changeAtPeriodEnd(client, subscription, offer);
    return null;
  }
  await release(client, subscription);
  const waitsFor = subscription.pending_update?.subscription_items?.[0]?.price.id;
  if (waitsFor === offer.price.id) {
    const page = await unpaidPage(client, subscription);
    if (page !== null) return page;
  }
  const changed = await client.ask(stripeSubscription, (stripe) =>
    stripe.subscriptions.update(
      subscription.id,
      {
        items: [{ id: item.id, price: offer.price.id }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
      },
      // Each change makes an invoice, so two calls at once are one, and the next change is another.
      {
        idempotencyKey: `winnow:change:${subscription.id}:${item.price.id}:${offer.price.id}:${subscription.latest_invoice}`,
      },
    ),
  );
  if (changed.pending_update !== null) {
    const page = await unpaidPage(client, changed);
    if (page === null) throw upstreamFailed('Stripe did not say where to pay. Try again in a few minutes.');
    return page;
  }
  await keepOn(client, changed);
  return null;
}

function asked({ plan, interval }: Offer): PaidPlan {
  return { plan_id: plan.id, dollars: dollarsOf(plan, interval) ?? 0, interval };
}

function paymentWaits() {
  return conflict(
    'payment_waits',
    'A change to another plan waits for its payment. Pay it in Stripe, or choose again in a day.',
  );
}

/** Where the newest invoice is paid; null when nothing is owed on it. */
async function unpaidPage(
  client: StripeClient,
  { latest_invoice }: StripeSubscription,
): Promise<string | null> {
  if (latest_invoice === null) return null;
  const invoice = await client.ask(stripeInvoice, (stripe) => stripe.invoices.retrieve(latest_invoice));
  return invoice.status === 'open' ? invoice.hosted_invoice_url : null;
}

/** Whoever chooses a plan wants to have it longer than the cancelled one would have lasted. Nothing is to come then. */
async function keepOn(client: StripeClient, subscription: StripeSubscription): Promise<void> {
  const { id, cancel_at_period_end } = subscription;
  await release(client, subscription);
  if (!isEnding(subscription)) return;
  await client.ask(stripeSubscription, (stripe) =>
    stripe.subscriptions.update(
      id,
      cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
    ),
  );
}

function isEnding({ cancel_at, cancel_at_period_end }: StripeSubscription): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

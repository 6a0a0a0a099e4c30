import { beginsAtOnce, type PaidPlan, subscriptionStatus } from '@winnow/contract/plan';
import { conflict, upstreamFailed } from '../../platform/errors.ts';
import {
  intervalOf,
  type StripeSubscription,
  stripeInvoice,
  stripeObject,
  stripeSubscription,
} from './answers.ts';
import type { Offer } from './checkout.ts';
import type { StripeClient } from './client.ts';
import { dollarsOf, noteOf, planIdOf } from './prices.ts';
import { changeAtPeriodEnd, keepNote, notedToCome, planToCome, release, toComeNote } from './schedule.ts';

/**
 * Puts a subscription on another plan. One that costs no less is had at once: what is left of the paid period is set off,
 * and the difference is charged. Every other is had when that period has ended, and nothing is given back. Answers the
 * address of the page where the person has to pay first, or null when it is done but for {@link finishChange}: the plan
 * changes only once the difference is paid. Chosen again, the plan that it is on takes back a change or an end that is to
 * come; else 409.
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
  // What a process that died has noted still is to come.
  const toCome = planToCome(subscription) ?? notedToCome(subscription);
  if (planId === offer.plan.id && interval === offer.interval) {
    if (toCome !== null || isEnding(subscription)) {
      await keepOn(client, subscription, now());
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
    await keepOn(client, subscription, now());
    await changeAtPeriodEnd(client, subscription, offer);
    return null;
  }
  const withdraws = isEnding(subscription) ? END : toCome === null ? null : CHANGE;
  if (waitsFor(subscription, offer, withdraws)) {
    const page = await unpaidPage(client, subscription);
    if (page !== null) return page;
  }
  // Until the new price is on, what was to come is still to come. A note tells that while its schedule is away.
  if (toCome !== null) await keepNote(client, subscription, toCome, now());
  // Beside a schedule Stripe changes no price.
  await release(client, subscription);
  const putBack = async () => {
    if (toCome === null) return;
    await changeAtPeriodEnd(client, subscription, toCome);
    await keepNote(client, subscription, null, now());
  };
  const changed = await client
    .ask(stripeSubscription, (stripe) =>
      stripe.subscriptions.update(
        subscription.id,
        {
          items: [{ id: item.id, price: offer.price.id }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'pending_if_incomplete',
          // Noted at the subscription once the price is on.
          metadata: {
            ...noteOf(offer.plan, offer.price),
            ...(withdraws === null ? {} : { winnow_withdraws: withdraws }),
            ...(toCome === null ? {} : toComeNote(null, now())),
          },
        },
        // Each change makes an invoice, so two calls at once are one, and the next change is another.
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

/** What a change of plan withdraws once it is paid: that the subscription ends, or that it changes later. */
const END = 'end';
const CHANGE = 'change';

/**
 * Withdraws what a change of plan has taken the place of, once that is paid, which Stripe's own note at the subscription
 * tells; null where there is nothing to withdraw. Answers the subscription as it is then. May be told by several at once,
 * and does nothing to what was chosen after that.
 */
export async function finishChange(
  client: StripeClient,
  subscription: StripeSubscription,
): Promise<StripeSubscription | null> {
  const { id, item, metadata } = subscription;
  const withdraws = metadata.winnow_withdraws;
  if (withdraws === undefined || metadata.winnow_price !== item.price.id) return null;
  if (withdraws === CHANGE) await release(client, subscription);
  return client.ask(stripeSubscription, (stripe) =>
    stripe.subscriptions.update(id, {
      ...(withdraws === END ? withoutEnd(subscription) : {}),
      metadata: { winnow_withdraws: '' },
      expand: ['schedule'],
    }),
  );
}

function asked({ plan, interval }: Offer): PaidPlan {
  return { plan_id: plan.id, dollars: dollarsOf(plan, interval) ?? 0, interval };
}

/** Whether the very change waits for its payment already, with all that it is to withdraw. */
function waitsFor(
  { pending_update }: StripeSubscription,
  { price }: Offer,
  withdraws: string | null,
): boolean {
  if (pending_update?.subscription_items?.[0]?.price.id !== price.id) return false;
  return withdraws === null || pending_update.metadata?.winnow_withdraws === withdraws;
}

/**
 * Takes back a change that waits for its payment: without its invoice it can never be paid. False when none waits, or it
 * was paid meanwhile.
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

/** Has a subscription stay on its plan: whatever was to come is not. */
async function keepOn(client: StripeClient, subscription: StripeSubscription, now: Date): Promise<void> {
  if (notedToCome(subscription) !== null) await keepNote(client, subscription, null, now);
  await release(client, subscription);
  if (!isEnding(subscription)) return;
  await client.ask(stripeObject, (stripe) =>
    stripe.subscriptions.update(subscription.id, withoutEnd(subscription)),
  );
}

/** What takes back that a subscription ends. */
function withoutEnd({ cancel_at, cancel_at_period_end }: StripeSubscription) {
  if (cancel_at_period_end) return { cancel_at_period_end: false };
  return cancel_at === null ? {} : { cancel_at: '' as const };
}

function isEnding({ cancel_at, cancel_at_period_end }: StripeSubscription): boolean {
  return cancel_at_period_end || cancel_at !== null;
}

import { conflict, upstreamFailed } from '../../platform/errors.ts';
import { intervalOf, type StripeSubscription, stripeInvoice, stripeSubscription } from './answers.ts';
import type { Offer } from './checkout.ts';
import type { StripeClient } from './client.ts';
import { planIdOf } from './prices.ts';

/** Changing plans needs nothing of the person but what was owed before. */
const PAID = new Set(['active', 'trialing']);

/**
 * Puts a subscription on another plan; what is left of the paid period is set off, and the difference is charged at once.
 * Answers the address of the page where the person has to pay first, or null when it is done: the plan changes only once
 * the difference is paid. 409 for the plan that it is on.
 */
export async function changePlan(
  client: StripeClient,
  subscription: StripeSubscription,
  offer: Offer,
  portalPage: () => Promise<string>,
): Promise<string | null> {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('A subscription has an item.');
  if (planIdOf(subscription) === offer.plan.id && intervalOf(item.price) === offer.interval) {
    throw conflict(
      'current_plan',
      `You are on the ${offer.plan.name} plan by the ${offer.interval} already.`,
    );
  }
  if (!PAID.has(subscription.status)) {
    return (await unpaidPage(client, subscription)) ?? (await portalPage());
  }
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

/** Where the newest invoice is paid; null when nothing is owed on it. */
async function unpaidPage(
  client: StripeClient,
  { latest_invoice }: StripeSubscription,
): Promise<string | null> {
  if (latest_invoice === null) return null;
  const invoice = await client.ask(stripeInvoice, (stripe) => stripe.invoices.retrieve(latest_invoice));
  return invoice.status === 'open' ? invoice.hosted_invoice_url : null;
}

/** Whoever chooses a plan wants to have it longer than the cancelled one would have lasted. */
async function keepOn(client: StripeClient, subscription: StripeSubscription): Promise<void> {
  const { id, cancel_at, cancel_at_period_end } = subscription;
  if (!cancel_at_period_end && cancel_at === null) return;
  await client.ask(stripeSubscription, (stripe) =>
    stripe.subscriptions.update(
      id,
      cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
    ),
  );
}

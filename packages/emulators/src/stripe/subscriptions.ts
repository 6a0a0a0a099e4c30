import type { Card, Invoice, Price, Subscription } from './model.ts';
import { type BillingReason, intervalOf, newInvoice, newSubscription, periodEnd, planOf } from './objects.ts';
import { endSchedule, nextPhase, releaseSchedule } from './schedules.ts';
import { itemOf, type Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

/** The parts of the Stripe emulator that change data. */
export interface Host {
  store: Store;
  webhooks: Webhooks;
  /** Returns the origin of the emulator, without a trailing slash. */
  origin: () => string;
}

/**
 * Creates a subscription and its first invoice. If the invoice is not paid, the subscription is
 * incomplete.
 */
export function subscribe(
  host: Host,
  sold: { customer: string; price: Price; metadata: Record<string, string> },
  isPaid: boolean,
): { subscription: Subscription; invoice: Invoice } {
  const { store, webhooks } = host;
  const subscription = newSubscription(store.nowS, sold);
  if (!isPaid) subscription.status = 'incomplete';
  store.subscriptions.set(subscription.id, subscription);
  webhooks.emit('customer.subscription.created', subscription);
  const amount = sold.price.unit_amount ?? 0;
  const invoice = invoiceFor(host, subscription, amount, 'subscription_create');
  if (isPaid) markPaid(host, invoice);
  return { subscription, invoice };
}

/**
 * Changes the price of a subscription and charges the prorated difference. If the card is declined
 * and `waits` is true, the change and its metadata stay pending until the invoice is paid. If
 * `waits` is false, the change takes effect, and the payment is overdue.
 */
export function changePrice(
  host: Host,
  subscription: Subscription,
  { price, metadata }: { price: Price; metadata: Record<string, string> },
  waits: boolean,
): void {
  const { store, webhooks } = host;
  dropPendingUpdate(host, subscription);
  const amount = prorated(store.nowS, subscription, price);
  const invoice = invoiceFor(host, subscription, amount, 'subscription_update');
  if (amount <= 0 || charge(host, invoice, { isThere: false })) {
    applyPrice(store.nowS, subscription, price);
    if (waits) mergeMetadata(subscription.metadata, metadata);
  } else if (waits) {
    const item = itemOf(subscription);
    subscription.pending_update = {
      billing_cycle_anchor: null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: Math.min(store.nowS + 23 * 60 * 60, item.current_period_end),
      metadata,
      subscription_items: [{ ...item, price, plan: planOf(price) }],
      trial_end: null,
      trial_from_plan: null,
    };
  } else {
    applyPrice(store.nowS, subscription, price);
    subscription.status = 'past_due';
  }
  webhooks.emit('customer.subscription.updated', subscription);
}

/**
 * Pays an invoice while the customer is present and can confirm the payment. Returns false if the
 * card is declined.
 */
export function payInvoice(host: Host, invoice: Invoice, card: Card): boolean {
  const { store } = host;
  if (typeof invoice.customer === 'string') store.cards.set(invoice.customer, card);
  return charge(host, invoice, { isThere: true });
}

/**
 * Ends the current period. If the subscription is scheduled to end, ends it. Otherwise charges the
 * next period at the price in its schedule.
 */
export function passPeriod(host: Host, subscription: Subscription): void {
  const { store, webhooks } = host;
  const item = itemOf(subscription);
  const { cancel_at, cancel_at_period_end } = subscription;
  if (cancel_at_period_end || (cancel_at !== null && cancel_at <= item.current_period_end)) {
    endSubscription(host, subscription, item.current_period_end);
    return;
  }
  if (subscription.pending_update !== null) {
    dropPendingUpdate(host, subscription);
    webhooks.emit('customer.subscription.pending_update_expired', subscription);
  }
  const next = nextPhase(host, subscription);
  if (next !== null) Object.assign(item, { price: next.price, plan: planOf(next.price) });
  item.current_period_start = item.current_period_end;
  item.current_period_end = periodEnd(item.current_period_start, intervalOf(item.price));
  const amount = item.price.unit_amount ?? 0;
  const invoice = invoiceFor(host, subscription, amount, 'subscription_cycle');
  if (!charge(host, invoice, { isThere: false })) {
    subscription.status = 'past_due';
    invoice.next_payment_attempt = store.nowS + 3 * 24 * 60 * 60;
  }
  webhooks.emit('customer.subscription.updated', subscription);
}

/** Ends the repeated attempts to charge an overdue payment. The subscription becomes unpaid. */
export function stopPaymentRetries(host: Host, subscription: Subscription): void {
  subscription.status = 'unpaid';
  host.webhooks.emit('customer.subscription.updated', subscription);
}

/** Schedules the end of a subscription at a given time. */
export function endAt(subscription: Subscription, endS: number, nowS: number): void {
  Object.assign(subscription, { cancel_at_period_end: false, cancel_at: endS, canceled_at: nowS });
}

/** Sets or removes the end of a subscription at the end of its period. */
export function endWithPeriod(subscription: Subscription, ends: boolean, nowS: number): void {
  subscription.cancel_at_period_end = ends;
  subscription.cancel_at = ends ? itemOf(subscription).current_period_end : null;
  subscription.canceled_at = ends ? nowS : null;
}

/**
 * Cancels a subscription at the end of its period, or undoes this, like a customer in the billing
 * portal. Releases its schedule.
 */
export function endInPortal(host: Host, subscription: Subscription, ends: boolean): void {
  const schedule = host.store.scheduleOf(subscription);
  if (schedule !== null) releaseSchedule(host, schedule);
  endWithPeriod(subscription, ends, host.store.nowS);
  host.webhooks.emit('customer.subscription.updated', subscription);
}

/** Ends a subscription at once, without a refund. */
export function endSubscription(host: Host, subscription: Subscription, endedS = host.store.nowS): void {
  dropPendingUpdate(host, subscription);
  endSchedule(host, subscription);
  subscription.status = 'canceled';
  subscription.canceled_at ??= endedS;
  subscription.ended_at = endedS;
  host.webhooks.emit('customer.subscription.deleted', subscription);
}

function invoiceFor(host: Host, subscription: Subscription, amount: number, reason: BillingReason): Invoice {
  const { store, webhooks } = host;
  const invoice = newInvoice(store.nowS, host.origin(), { subscription, amount, reason });
  store.invoices.set(invoice.id, invoice);
  subscription.latest_invoice = invoice.id;
  webhooks.emit('invoice.created', invoice);
  if (amount <= 0) markPaid(host, invoice);
  return invoice;
}

/**
 * Charges the customer's card for an invoice. Returns true if the invoice is paid. `isThere` is
 * true if the customer is present. Without the customer, a card that requires a confirmation is not
 * charged.
 */
function charge(host: Host, invoice: Invoice, { isThere }: { isThere: boolean }): boolean {
  const { store, webhooks } = host;
  if (invoice.status === 'paid') return true;
  const card = store.cards.get(String(invoice.customer)) ?? 'works';
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (card === 'declined' || (card === 'asks' && !isThere)) {
    webhooks.emit('invoice.payment_failed', invoice);
    if (card === 'asks') webhooks.emit('invoice.payment_action_required', invoice);
    return false;
  }
  markPaid(host, invoice);
  return true;
}

function markPaid(host: Host, invoice: Invoice): void {
  const { store, webhooks } = host;
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = store.nowS;
  webhooks.emit('invoice.paid', invoice);
  const subscription = store.subscriptionOf(invoice);
  if (subscription.latest_invoice !== invoice.id) return;
  const pending = subscription.pending_update;
  const waiting = pending?.subscription_items?.[0];
  if (waiting !== undefined) {
    subscription.pending_update = null;
    applyPrice(store.nowS, subscription, waiting.price);
    mergeMetadata(subscription.metadata, pending?.metadata ?? {});
    webhooks.emit('customer.subscription.pending_update_applied', subscription);
    webhooks.emit('customer.subscription.updated', subscription);
  } else if (['past_due', 'unpaid', 'incomplete'].includes(subscription.status)) {
    subscription.status = 'active';
    webhooks.emit('customer.subscription.updated', subscription);
  }
}

/** Drops a pending change of price, and voids its invoice. */
export function dropPendingUpdate(host: Host, subscription: Subscription): void {
  if (subscription.pending_update === null) return;
  subscription.pending_update = null;
  const invoice = host.store.invoice(String(subscription.latest_invoice));
  invoice.status = 'void';
  invoice.status_transitions.voided_at = host.store.nowS;
  host.webhooks.emit('invoice.voided', invoice);
}

/** Merges metadata from a request into existing metadata. An empty string deletes an entry. */
export function mergeMetadata(metadata: Record<string, string>, sent: Record<string, string>): void {
  Object.assign(metadata, sent);
  for (const [key, value] of Object.entries(sent)) if (value === '') delete metadata[key];
}

function applyPrice(nowS: number, subscription: Subscription, price: Price): void {
  const item = itemOf(subscription);
  if (intervalOf(item.price) !== intervalOf(price)) {
    item.current_period_start = nowS;
    item.current_period_end = periodEnd(nowS, intervalOf(price));
    subscription.billing_cycle_anchor = nowS;
  }
  item.price = price;
  item.plan = planOf(price);
}

/**
 * Returns the amount in cents to charge for a change of price. It is the cost of the new price for
 * the remaining period, minus the unused part of the current price.
 */
function prorated(nowS: number, subscription: Subscription, price: Price): number {
  const item = itemOf(subscription);
  const left = (item.current_period_end - nowS) / (item.current_period_end - item.current_period_start);
  const isSameInterval = intervalOf(item.price) === intervalOf(price);
  const cost = (price.unit_amount ?? 0) * (isSameInterval ? left : 1);
  return Math.round(cost - (item.price.unit_amount ?? 0) * left);
}

import type { Card, CheckoutSession } from './model.ts';
import { newCustomer } from './objects.ts';
import { cardDeclined, invalidRequest } from './stripe-error.ts';
import { type Host, subscribe } from './subscriptions.ts';

/** Values that a customer enters on the payment page. */
export interface Payment {
  /** Required if the session does not belong to a customer yet. */
  email?: string;
  card?: Card;
  /** True if the customer closes the page when the card requires a confirmation. */
  leaves?: boolean;
}

/**
 * Pays a session like a customer on the payment page. Returns the URL to which the browser is
 * redirected. If the card requires a confirmation and the customer closes the page, the session
 * remains open. Its subscription is then incomplete.
 * @throws {EmulatedStripeError} if the card is declined or the session is not open
 */
export function paySession(
  host: Host,
  session: CheckoutSession,
  { email, card = 'works', leaves = false }: Payment,
): string {
  const { store, webhooks } = host;
  const bought = store.bought.get(session.id);
  if (session.status !== 'open' || bought === undefined) {
    throw invalidRequest('This Checkout Session is not open.');
  }
  if (card === 'declined') throw cardDeclined();
  const known = session.customer === null ? null : store.customer(String(session.customer));
  const address = known?.email ?? session.customer_email ?? email ?? '';
  if (!address.includes('@')) throw invalidRequest('Enter an email address.', { param: 'email' });
  const customer = known ?? newCustomer(store.nowS, { email: address });
  if (known === null) {
    store.customers.set(customer.id, customer);
    webhooks.emit('customer.created', customer);
  }
  store.cards.set(customer.id, card);
  const isPaid = !(card === 'asks' && leaves);
  const { subscription, invoice } = subscribe(host, { customer: customer.id, ...bought }, isPaid);
  if (!isPaid) return session.url ?? '';
  Object.assign(session, {
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: address,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    invoice: invoice.id,
    payment_status: 'paid',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  } satisfies Partial<CheckoutSession>);
  webhooks.emit('checkout.session.completed', session);
  return session.success_url ?? '';
}

/** Expires a session. It can then not be paid. */
export function expireSession(host: Host, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  host.webhooks.emit('checkout.session.expired', session);
}

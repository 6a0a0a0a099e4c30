import { type Host, subscribe } from './charging.ts';
import type { Card, CheckoutSession } from './model.ts';
import { newCustomer } from './objects.ts';
import { cardDeclined, invalidRequest } from './stripe-error.ts';

/** What a person enters on the payment page. */
export interface Payment {
  /** Asked for where the session knows nobody yet. */
  email?: string;
  card?: Card;
  /** They close the page where a card asks them to confirm the payment. */
  leaves?: boolean;
}

/**
 * Pays a session, as the payment page does. Answers where the person is led then; where they leave before, the page stays
 * open and its subscription incomplete.
 * @throws EmulatedStripeError when the card is declined or the session is not open
 */
export function paySession(
  host: Host,
  session: CheckoutSession,
  { email, card = 'works', leaves = false }: Payment,
): string {
  const { store, webhooks } = host;
  const bought = store.bought.get(session.id);
  if (session.status !== 'open' || bought === undefined) {
    throw invalidRequest('This Checkout Session is no longer open.');
  }
  if (card === 'declined') throw cardDeclined();
  const known = session.customer === null ? null : store.customer(String(session.customer));
  const address = known?.email ?? session.customer_email ?? email ?? '';
  if (!address.includes('@')) throw invalidRequest('Enter an e-mail address.', { param: 'email' });
  const customer = known ?? newCustomer(store.nowS, { email: address });
  if (known === null) {
    store.customers.set(customer.id, customer);
    webhooks.happened('customer.created', customer);
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
  webhooks.happened('checkout.session.completed', session);
  return session.success_url ?? '';
}

/** The session cannot be paid any more. */
export function expireSession(host: Host, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  host.webhooks.happened('checkout.session.expired', session);
}

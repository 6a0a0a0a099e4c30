import type { Incoming, Outgoing } from '../http/host.ts';
import { paySession } from './checkout.ts';
import { CARDS, type CheckoutSession, cardOf, type Invoice, type PortalSession } from './model.ts';
import { itemOf } from './store.ts';
import { EmulatedStripeError } from './stripe-error.ts';
import { endInPortal, endSubscription, type Host, payInvoice } from './subscriptions.ts';

/** Returns the HTML page for a path. Returns null if the path has no page. */
export function pageAt(host: Host, pathname: string): string | null {
  const [, kind, id = ''] = /^\/(c\/pay|p\/session|i)\/(\w+)$/.exec(pathname) ?? [];
  switch (kind) {
    case 'c/pay': {
      const session = host.store.sessions.get(id);
      return session === undefined ? null : checkoutPage(host, session);
    }
    case 'p/session': {
      const portal = host.store.portals.get(id);
      return portal === undefined ? null : portalPage(host, portal);
    }
    case 'i': {
      const invoice = host.store.invoices.get(id);
      return invoice === undefined ? null : invoicePage(invoice);
    }
    default:
      return null;
  }
}

/** Performs the action of the button that was pressed on a page, and redirects the browser. */
export function submitPage(host: Host, { method, body }: Incoming, out: Outgoing): Outgoing {
  const html = (status: number, text: string): Outgoing => ({
    ...out,
    status,
    headers: { ...out.headers, 'content-type': 'text/html; charset=utf-8' },
    body: text,
  });
  if (method !== 'POST' || pageAt(host, out.path) === null) {
    return html(404, page('Not found', '<p>Page not found.</p>'));
  }
  try {
    const leadsTo = submit(host, out.path, new URLSearchParams(body));
    return { ...out, status: 303, headers: { ...out.headers, location: leadsTo } };
  } catch (error) {
    if (!(error instanceof EmulatedStripeError)) throw error;
    const shown = `<p role="alert">${escapeHtml(error.message)}</p>`;
    return html(error.status, (pageAt(host, out.path) ?? '').replace('<main>', `<main>${shown}`));
  }
}

function submit(host: Host, path: string, fields: URLSearchParams): string {
  const { store } = host;
  const id = path.split('/').at(-1) ?? '';
  const pressed = fields.get('action');
  const card = cardOf(fields.get('card') ?? '');
  if (path.startsWith('/c/pay/')) {
    const session = store.session(id);
    if (pressed === 'cancel') return session.cancel_url ?? path;
    return paySession(host, session, { email: fields.get('email') ?? '', card });
  }
  if (path.startsWith('/i/')) {
    if (!payInvoice(host, store.invoice(id), card)) {
      throw new EmulatedStripeError(402, { type: 'card_error', message: 'Your card was declined.' });
    }
    return path;
  }
  const customer = store.portals.get(id)?.customer ?? '';
  if (pressed === 'card') store.cards.set(customer, card);
  for (const subscription of store.subscriptionsOf(customer)) {
    if (subscription.status === 'canceled') continue;
    if (pressed === 'card') {
      const open = store.invoices.get(String(subscription.latest_invoice));
      if (open?.status === 'open') payInvoice(host, open, card);
    } else if (pressed === 'cancel-now') {
      endSubscription(host, subscription);
    } else {
      endInPortal(host, subscription, pressed === 'cancel');
    }
  }
  return path;
}

function checkoutPage({ store }: Host, session: CheckoutSession): string {
  if (session.status !== 'open') {
    return page(
      'Nothing to pay',
      '<p>This payment page has expired, or the subscription was already paid.</p>',
    );
  }
  const price = store.bought.get(session.id)?.price;
  const amount = `$${(session.amount_total ?? 0) / 100} per ${price?.recurring?.interval ?? ''}`;
  const asks = session.customer === null && session.customer_email === null;
  const email = asks ? '<label>Email <input name="email" type="email" required></label>' : '';
  return page(
    `Subscribe: ${price?.lookup_key ?? price?.id ?? ''}`,
    `<p>${escapeHtml(amount)}</p><form method="post">${email}${CARD_FIELD}
<button name="action" value="pay">Pay</button>
<button name="action" value="cancel" formnovalidate>Cancel</button></form>`,
  );
}

function portalPage({ store }: Host, { customer, return_url }: PortalSession): string {
  const rows = store.subscriptionsOf(customer).map((subscription) => {
    const { price, current_period_end } = itemOf(subscription);
    const until = new Date(current_period_end * 1000).toISOString().slice(0, 10);
    const word = subscription.cancel_at_period_end ? 'cancels on' : 'until';
    return `<li>${escapeHtml(price.lookup_key ?? price.id)}: ${escapeHtml(subscription.status)}, ${word} ${until}</li>`;
  });
  return page(
    'Your subscription',
    `<ul>${rows.join('')}</ul><form method="post">${CARD_FIELD}
<button name="action" value="card">Update card</button></form>
<form method="post"><button name="action" value="cancel">Cancel plan</button>
<button name="action" value="resume">Resume plan</button>
<button name="action" value="cancel-now">Cancel at once</button></form>
<p><a href="${escapeHtml(return_url ?? '/')}">Return</a></p>`,
  );
}

function invoicePage({ amount_due, number, status }: Invoice): string {
  const form = `<form method="post">${CARD_FIELD}<button name="action" value="pay">Pay</button></form>`;
  return page(
    `Invoice ${number ?? ''}`,
    `<p>$${amount_due / 100}: ${escapeHtml(status ?? '')}</p>${status === 'open' ? form : ''}`,
  );
}

const CARD_FIELD = `<label>Card number <input name="card" value="${CARDS.works}" required></label>`;

function page(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
form{display:grid;gap:.75rem;margin:1rem 0}
</style></head><body><main><p>Stripe emulator</p><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

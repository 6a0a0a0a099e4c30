import type { RoutePattern } from '../http/router.ts';
import { expireSession } from './checkout.ts';
import { ENDED_STATUSES } from './expand.ts';
import type { Subscription } from './model.ts';
import { listOf, newCheckoutSession, newCustomer, newPortalSession } from './objects.ts';
import type { Params } from './params.ts';
import { refuseScheduled, releaseSchedule, reschedule, scheduleFrom } from './schedules.ts';
import { itemOf } from './store.ts';
import { EmulatedStripeError, invalidRequest, resourceMissing } from './stripe-error.ts';
import {
  changePrice,
  dropPendingUpdate,
  endAt,
  endSubscription,
  endWithPeriod,
  type Host,
  mergeMetadata,
} from './subscriptions.ts';

/** A parsed request, as routes receive it. */
interface Call {
  host: Host;
  /** Decoded parameters of the path. */
  path: Record<string, string>;
  params: Params;
}

export interface Route extends RoutePattern {
  handle: (call: Call) => object;
}

/** All routes that are emulated. */
export const routes: readonly Route[] = [
  { method: 'POST', path: '/v1/customers', handle: createCustomer },
  { method: 'GET', path: '/v1/customers', handle: listCustomers },
  { method: 'GET', path: '/v1/customers/:id', handle: readCustomer },
  { method: 'POST', path: '/v1/customers/:id', handle: updateCustomer },
  { method: 'DELETE', path: '/v1/customers/:id', handle: deleteCustomer },
  { method: 'GET', path: '/v1/prices', handle: listPrices },
  { method: 'POST', path: '/v1/checkout/sessions', handle: createSession },
  { method: 'GET', path: '/v1/checkout/sessions', handle: listSessions },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    handle: ({ host, path }) => host.store.session(path.id ?? ''),
  },
  { method: 'POST', path: '/v1/checkout/sessions/:id/expire', handle: expire },
  { method: 'GET', path: '/v1/subscriptions', handle: listSubscriptions },
  {
    method: 'GET',
    path: '/v1/subscriptions/:id',
    handle: ({ host, path }) => host.store.subscription(path.id ?? ''),
  },
  { method: 'POST', path: '/v1/subscriptions/:id', handle: updateSubscription },
  { method: 'DELETE', path: '/v1/subscriptions/:id', handle: cancelSubscription },
  { method: 'POST', path: '/v1/subscription_schedules', handle: createSchedule },
  { method: 'POST', path: '/v1/subscription_schedules/:id', handle: updateSchedule },
  { method: 'POST', path: '/v1/subscription_schedules/:id/release', handle: release },
  { method: 'GET', path: '/v1/invoices/:id', handle: ({ host, path }) => host.store.invoice(path.id ?? '') },
  { method: 'POST', path: '/v1/invoices/:id/void', handle: voidInvoice },
  { method: 'POST', path: '/v1/billing_portal/sessions', handle: createPortalSession },
];

function voidInvoice({ host, path: { id = '' }, params }: Call): object {
  const invoice = host.store.invoice(id);
  params.refuseUnknown();
  if (invoice.status !== 'open') {
    throw invalidRequest('You can only pass in open invoices. This invoice is not open.', {
      param: 'invoice',
    });
  }
  const subscription = host.store.subscriptionOf(invoice);
  if (subscription.latest_invoice === invoice.id && subscription.pending_update !== null) {
    dropPendingUpdate(host, subscription);
    host.webhooks.emit('customer.subscription.updated', subscription);
  }
  return invoice;
}

function createCustomer({ host: { store, webhooks }, params }: Call): object {
  const [email, name, metadata] = [params.text('email'), params.text('name'), params.map('metadata')];
  params.refuseUnknown();
  const customer = newCustomer(store.nowS, { email, name, metadata });
  store.customers.set(customer.id, customer);
  webhooks.emit('customer.created', customer);
  return customer;
}

function listCustomers({ host: { store }, params }: Call): object {
  const [email, limit] = [params.text('email'), params.number('limit')];
  params.refuseUnknown();
  const fitting = [...store.customers.values()].filter(
    (customer) => email === null || customer.email === email,
  );
  return listOf('/v1/customers', fitting.reverse(), limit ?? undefined);
}

function updateCustomer({ host: { store, webhooks }, path: { id = '' }, params }: Call): object {
  const customer = store.customer(id);
  const [email, metadata] = [params.text('email'), params.map('metadata')];
  params.refuseUnknown();
  if (email !== null) customer.email = email;
  mergeMetadata(customer.metadata, metadata);
  webhooks.emit('customer.updated', customer);
  return customer;
}

function readCustomer({ host: { store }, path: { id = '' } }: Call): object {
  return store.deletedCustomers.has(id) ? deletedCustomer(id) : store.customer(id);
}

function deleteCustomer({ host, path: { id = '' } }: Call): object {
  const customer = host.store.customer(id);
  for (const subscription of host.store.subscriptionsOf(id)) {
    if (!ENDED_STATUSES.includes(subscription.status)) endSubscription(host, subscription);
  }
  host.store.customers.delete(id);
  host.store.deletedCustomers.add(id);
  host.webhooks.emit('customer.deleted', customer);
  return deletedCustomer(id);
}

function deletedCustomer(id: string): object {
  return { id, object: 'customer', deleted: true };
}

function listPrices({ host: { store }, params }: Call): object {
  const [keys, active, limit] = [params.texts('lookup_keys'), params.flag('active'), params.number('limit')];
  params.refuseUnknown();
  if (keys.length > 10)
    throw invalidRequest('You may only specify up to 10 lookup_keys.', { param: 'lookup_keys' });
  const fitting = [...store.prices.values()].filter(
    (price) =>
      (keys.length === 0 || keys.includes(price.lookup_key ?? '')) &&
      (active === null || price.active === active),
  );
  return listOf('/v1/prices', fitting.reverse(), limit ?? undefined);
}

function createSession({ host, params }: Call): object {
  const { store } = host;
  if (params.oneOf('mode', ['subscription']) === null)
    throw invalidRequest('Missing mode.', { param: 'mode' });
  const [line, ...others] = params.objects('line_items');
  if (line === undefined || others.length > 0) {
    throw invalidRequest('The emulator supports only one line item.', { param: 'line_items' });
  }
  const price = store.price(line.required('price'), 'line_items[0][price]');
  if (line.text('quantity') !== '1')
    throw invalidRequest('Quantity is required.', { param: 'line_items[0][quantity]' });
  const customer = params.text('customer');
  const customerEmail = params.text('customer_email');
  if (customer !== null) store.customer(customer, 'customer');
  if (customer !== null && customerEmail !== null) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.');
  }
  const session = newCheckoutSession(store.nowS, host.origin(), {
    customer,
    customerEmail,
    clientReferenceId: params.text('client_reference_id'),
    successUrl: params.required('success_url'),
    cancelUrl: params.text('cancel_url'),
    metadata: params.map('metadata'),
    price,
  });
  const metadata = params.object('subscription_data').map('metadata');
  params.refuseUnknown();
  store.sessions.set(session.id, session);
  store.bought.set(session.id, { price, metadata });
  return session;
}

function listSessions({ host: { store }, params }: Call): object {
  const customer = params.text('customer');
  const status = params.oneOf('status', ['open', 'complete', 'expired']);
  const since = params.object('created').number('gte') ?? 0;
  const after = params.text('starting_after');
  const limit = params.number('limit');
  params.refuseUnknown();
  const newestFirst = [...store.sessions.values()].reverse();
  const fitting = newestFirst
    .slice(after === null ? 0 : newestFirst.indexOf(store.session(after)) + 1)
    .filter(
      (session) =>
        (customer === null || session.customer === customer) &&
        (status === null || session.status === status) &&
        session.created >= since,
    );
  return listOf('/v1/checkout/sessions', fitting, limit ?? undefined);
}

function expire({ host, path: { id = '' } }: Call): object {
  const session = host.store.session(id);
  if (session.status !== 'open') {
    throw invalidRequest(
      'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ' +
        `${session.status}.`,
    );
  }
  expireSession(host, session);
  return session;
}

function listSubscriptions({ host: { store }, params }: Call): object {
  const customer = params.text('customer');
  const status = params.text('status');
  const limit = params.number('limit');
  params.refuseUnknown();
  const fitting = [...store.subscriptions.values()].filter(
    (subscription) =>
      (customer === null || subscription.customer === customer) &&
      (status === null
        ? !ENDED_STATUSES.includes(subscription.status)
        : status === 'all' || subscription.status === status),
  );
  return listOf('/v1/subscriptions', fitting.reverse(), limit ?? undefined);
}

function updateSubscription({ host, path: { id = '' }, params }: Call): object {
  const subscription = host.store.subscription(id);
  refuseEnded(subscription);
  refuseScheduled(subscription, params);
  const behavior = params.oneOf('payment_behavior', [
    'allow_incomplete',
    'default_incomplete',
    'error_if_incomplete',
    'pending_if_incomplete',
  ]);
  const proration = params.oneOf('proration_behavior', ['always_invoice', 'create_prorations', 'none']);
  const waits = behavior === 'pending_if_incomplete';
  if (waits && params.has('cancel_at')) {
    throw invalidRequest('You cannot update `cancel_at` with payment_behavior=pending_if_incomplete.', {
      param: 'cancel_at',
    });
  }
  if (waits && params.has('cancel_at_period_end')) {
    throw invalidRequest('The emulator does not support a cancellation that waits for a payment.', {
      param: 'cancel_at_period_end',
    });
  }
  const price = newPriceOf(host, subscription, params);
  const endsWithPeriod = params.flag('cancel_at_period_end');
  const cancelAt = params.text('cancel_at');
  const metadata = params.map('metadata');
  params.refuseUnknown();
  if (price !== null && proration !== 'always_invoice') {
    throw invalidRequest('The emulator supports only price changes with an immediate invoice.', {
      param: 'proration_behavior',
    });
  }
  const changes = price !== null && price.id !== itemOf(subscription).price.id;
  if (!(changes && waits)) mergeMetadata(subscription.metadata, metadata);
  if (endsWithPeriod !== null) endWithPeriod(subscription, endsWithPeriod, host.store.nowS);
  if (cancelAt === '') subscription.cancel_at = null;
  else if (cancelAt !== null) endAt(subscription, Number(cancelAt), host.store.nowS);
  if (changes) changePrice(host, subscription, { price, metadata }, waits);
  else host.webhooks.emit('customer.subscription.updated', subscription);
  return subscription;
}

function createSchedule({ host, params }: Call): object {
  const subscription = host.store.subscription(params.required('from_subscription'));
  params.refuseUnknown();
  refuseEnded(subscription);
  return scheduleFrom(host, subscription);
}

function updateSchedule({ host, path: { id = '' }, params }: Call): object {
  const schedule = host.store.schedule(id);
  reschedule(host, schedule, params);
  return schedule;
}

function release({ host, path: { id = '' }, params }: Call): object {
  const schedule = host.store.schedule(id);
  params.refuseUnknown();
  releaseSchedule(host, schedule);
  return schedule;
}

/**
 * Returns the new price of a subscription in an update. Null if the update does not change the
 * price.
 */
function newPriceOf({ store }: Host, subscription: Subscription, params: Params) {
  const [item, ...others] = params.objects('items');
  if (item === undefined) return null;
  if (others.length > 0 || item.required('id') !== itemOf(subscription).id) {
    throw resourceMissing('subscription_item', item.required('id'), 'items[0][id]');
  }
  return store.price(item.required('price'), 'items[0][price]');
}

function cancelSubscription({ host, path: { id = '' }, params }: Call): object {
  const subscription = host.store.subscription(id);
  params.flag('invoice_now');
  params.flag('prorate');
  params.refuseUnknown();
  if (ENDED_STATUSES.includes(subscription.status)) throw resourceMissing('subscription', id);
  endSubscription(host, subscription);
  return subscription;
}

function refuseEnded({ status }: Subscription): void {
  if (!ENDED_STATUSES.includes(status)) return;
  throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
}

function createPortalSession({ host, params }: Call): object {
  const { store } = host;
  const customer = params.required('customer');
  const returnUrl = params.text('return_url');
  params.refuseUnknown();
  if (store.deletedCustomers.has(customer)) throw resourceMissing('customer', customer, 'customer');
  store.customer(customer, 'customer');
  if (returnUrl !== null && !URL.canParse(returnUrl)) {
    throw new EmulatedStripeError(400, {
      type: 'invalid_request_error',
      code: 'url_invalid',
      param: 'return_url',
      message: 'Not a valid URL',
    });
  }
  const session = newPortalSession(store.nowS, host.origin(), { customer, returnUrl });
  store.portals.set(session.id, session);
  return session;
}

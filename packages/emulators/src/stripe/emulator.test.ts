import { createServer } from 'node:http';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StripeEmulator, startStripeEmulator } from './emulator.ts';

let emulator: StripeEmulator;
let stripe: Stripe;
beforeAll(async () => {
  emulator = await startStripeEmulator({
    prices: [
      { lookup_key: 'small', unit_amount: 1_000, interval: 'month' },
      { lookup_key: 'large', unit_amount: 9_000, interval: 'month' },
      { lookup_key: 'large_year', unit_amount: 90_000, interval: 'year' },
    ],
  });
  stripe = clientWith(emulator.secretKey);
});
afterAll(() => emulator.close());

function clientWith(key: string): Stripe {
  return new Stripe(key, { protocol: 'http', host: '127.0.0.1', port: emulator.port, telemetry: false });
}

async function priceId(lookupKey: string): Promise<string> {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey] });
  return data[0]?.id ?? '';
}

async function openSession(customer?: string): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: await priceId('small'), quantity: 1 }],
    success_url: 'https://shop.example.org/done',
    cancel_url: 'https://shop.example.org/back',
    ...(customer === undefined ? {} : { customer }),
  });
}

/** Creates a customer with a subscription to the cheapest plan. */
async function subscribed(): Promise<Stripe.Subscription> {
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  emulator.pay((await openSession(customer.id)).url ?? '');
  const { data } = await stripe.subscriptions.list({ customer: customer.id });
  const [subscription] = data;
  if (subscription === undefined) throw new Error('There is no subscription.');
  return subscription;
}

test('the client library reads prices and the objects that it created', async () => {
  const customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { account: 'a' } });
  expect(customer.lastResponse.requestId).toMatch(/^req_/);
  const read = await stripe.customers.retrieve(customer.id, { expand: ['subscriptions'] });
  expect(read).toMatchObject({
    email: 'ada@example.com',
    metadata: { account: 'a' },
    subscriptions: { data: [] },
  });
  const { data } = await stripe.prices.list({ lookup_keys: ['small', 'large_year', 'none'], active: true });
  expect(
    data.map((price) => [price.lookup_key, price.unit_amount, price.recurring?.interval]).sort(),
  ).toEqual([
    ['large_year', 90_000, 'year'],
    ['small', 1_000, 'month'],
  ]);
});

test.each([
  [
    'a wrong key',
    () => clientWith('sk_test_wrong00000000000').customers.list(),
    'StripeAuthenticationError',
    401,
  ],
  [
    'a customer that is not there',
    () => stripe.customers.retrieve('cus_none'),
    'StripeInvalidRequestError',
    404,
  ],
  [
    'a price that is not there',
    () =>
      stripe.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price: 'price_none', quantity: 1 }],
        success_url: 'https://shop.example.org',
      }),
    'StripeInvalidRequestError',
    400,
  ],
  [
    'a parameter it does not know',
    () => stripe.customers.create({ nonsense: 'x' } as never),
    'StripeInvalidRequestError',
    400,
  ],
  [
    'what cannot be expanded',
    () => stripe.prices.list({ expand: ['nothing'] }),
    'StripeInvalidRequestError',
    400,
  ],
] as const)('%s is rejected with Stripe’s error', async (_, call, type, statusCode) => {
  await expect(call()).rejects.toMatchObject({ type, statusCode, requestId: expect.stringMatching(/^req_/) });
});

test('an idempotency key creates one object, and is rejected for another request', async () => {
  const options = { idempotencyKey: 'once' };
  const first = await stripe.customers.create({ email: 'ada@example.com' }, options);
  const again = await stripe.customers.create({ email: 'ada@example.com' }, options);
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  const other = stripe.customers.create({ email: 'eve@example.com' }, options);
  await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
});

test('a customer can pay, cancel and be declined on the payment page', async () => {
  const session = await openSession();
  const url = session.url ?? '';
  expect(await (await fetch(url)).text()).toContain('Card number');
  const press = (fields: Record<string, string>) =>
    fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
  const cancelled = await press({ action: 'cancel' });
  expect([cancelled.status, cancelled.headers.get('location')]).toEqual([
    303,
    'https://shop.example.org/back',
  ]);
  const email = 'ada@example.com';
  const declined = await press({ action: 'pay', email, card: '4000 0000 0000 0002' });
  expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('declined')]);
  const paid = await press({ action: 'pay', email, card: '4242 4242 4242 4242' });
  expect([paid.status, paid.headers.get('location')]).toEqual([303, 'https://shop.example.org/done']);
  const read = await stripe.checkout.sessions.retrieve(session.id);
  expect(read).toMatchObject({ status: 'complete', payment_status: 'paid', customer_details: { email } });
  expect(await (await fetch(url)).text()).toContain('expired');
});

test('a change of price charges the difference, or waits for its payment', async () => {
  const subscription = await subscribed();
  const item = subscription.items.data[0]?.id ?? '';
  const change = async (lookupKey: string) =>
    stripe.subscriptions.update(subscription.id, {
      items: [{ id: item, price: await priceId(lookupKey) }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      metadata: { size: lookupKey },
      expand: ['latest_invoice'],
    });
  const changed = await change('large');
  expect([changed.pending_update, changed.items.data[0]?.price.lookup_key]).toEqual([null, 'large']);
  expect(changed.metadata).toMatchObject({ size: 'large' });
  expect(changed.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 8_000 });

  emulator.setCard(String(subscription.customer), 'asks');
  const waiting = await change('large_year');
  expect([waiting.items.data[0]?.price.lookup_key, waiting.metadata.size]).toEqual(['large', 'large']);
  expect(waiting.pending_update?.metadata).toEqual({ size: 'large_year' });
  const invoice = waiting.latest_invoice as Stripe.Invoice;
  expect([waiting.pending_update === null, invoice.status]).toEqual([false, 'open']);
  await fetch(invoice.hosted_invoice_url ?? '', {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay', card: '4000002760003184' }),
  });
  const paid = await stripe.subscriptions.retrieve(subscription.id);
  expect([paid.pending_update, paid.items.data[0]?.price.lookup_key]).toEqual([null, 'large_year']);
  expect(paid.metadata.size).toBe('large_year');
});

test('an unpaid change of price is dropped with its invoice at the end of the period', async () => {
  const subscription = await subscribed();
  const [item] = subscription.items.data;
  emulator.setCard(String(subscription.customer), 'asks');
  const waiting = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: item?.id ?? '', price: await priceId('large') }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  });
  emulator.setCard(String(subscription.customer), 'works');
  emulator.passPeriod(subscription.id);
  const after = await stripe.subscriptions.retrieve(subscription.id);
  expect([after.pending_update, after.items.data[0]?.price.lookup_key]).toEqual([null, 'small']);
  expect((await stripe.invoices.retrieve(String(waiting.latest_invoice))).status).toBe('void');
});

test('a schedule changes the price at the next period and prevents other changes', async () => {
  const subscription = await subscribed();
  const [item] = subscription.items.data;
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  expect(schedule.current_phase).toEqual({
    start_date: item?.current_period_start,
    end_date: item?.current_period_end,
  });
  await expect(stripe.subscriptionSchedules.create({ from_subscription: subscription.id })).rejects.toThrow(
    'already attached to a schedule',
  );
  await expect(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })).rejects.toThrow(
    'updating any cancelation behavior directly is not allowed',
  );
  const none = { proration_behavior: 'none' as const };
  const plan = (price: string) => ({ ...none, items: [{ price, quantity: 1 }] });
  await stripe.subscriptionSchedules.update(schedule.id, {
    ...none,
    end_behavior: 'release',
    phases: [
      { ...plan(await priceId('small')), ...schedule.current_phase },
      {
        ...plan(await priceId('large_year')),
        duration: { interval: 'year' },
        metadata: { noted: 'with the phase' },
      },
    ],
  });
  const before = await stripe.subscriptions.retrieve(subscription.id, { expand: ['schedule'] });
  expect(before.items.data[0]?.price.lookup_key).toBe('small');
  expect(before.schedule).toMatchObject({ id: schedule.id, status: 'active', end_behavior: 'release' });
  emulator.passPeriod(subscription.id);
  const after = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
  expect([after.items.data[0]?.price.lookup_key, after.metadata]).toEqual([
    'large_year',
    { noted: 'with the phase' },
  ]);
  expect(after.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 90_000 });
  emulator.passPeriod(subscription.id);
  expect((await stripe.subscriptions.retrieve(subscription.id)).schedule).toBeNull();
  await expect(stripe.subscriptionSchedules.release(schedule.id)).rejects.toThrow('`released` status');
});

test('a subscription ends at a given date, and is renewed until then', async () => {
  const subscription = await subscribed();
  const end = (subscription.items.data[0]?.current_period_end ?? 0) + 60;
  const ending = await stripe.subscriptions.update(subscription.id, { cancel_at: end });
  expect([ending.cancel_at_period_end, ending.cancel_at]).toEqual([false, end]);
  emulator.passPeriod(subscription.id);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  emulator.passPeriod(subscription.id);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
});

test('sessions are listed in pages, starting at a given time', async () => {
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  const made = [
    await openSession(customer.id),
    await openSession(customer.id),
    await openSession(customer.id),
  ];
  const ids = made.map(({ id }) => id).reverse();
  const page = await stripe.checkout.sessions.list({ customer: customer.id, limit: 2 });
  expect([page.data.map(({ id }) => id), page.has_more]).toEqual([ids.slice(0, 2), true]);
  const next = await stripe.checkout.sessions.list({ customer: customer.id, starting_after: ids[1] ?? '' });
  expect(next.data.map(({ id }) => id)).toEqual(ids.slice(2));
  const later = await stripe.checkout.sessions.list({ created: { gte: (made[0]?.created ?? 0) + 3_600 } });
  expect(later.data).toEqual([]);
});

test('an unpaid renewal is overdue until the customer pays with a new card in the portal', async () => {
  const subscription = await subscribed();
  const customer = String(subscription.customer);
  emulator.setCard(customer, 'declined');
  emulator.passPeriod(subscription.id);
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
  const { url } = await stripe.billingPortal.sessions.create({
    customer,
    return_url: 'https://shop.example.org',
  });
  const press = (fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  await press({ action: 'card', card: '4242424242424242' });
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  await press({ action: 'cancel' });
  const ending = await stripe.subscriptions.retrieve(subscription.id);
  expect([ending.cancel_at_period_end, ending.cancel_at]).toEqual([
    true,
    ending.items.data[0]?.current_period_end,
  ]);
  await press({ action: 'resume' });
  expect((await stripe.subscriptions.retrieve(subscription.id)).cancel_at_period_end).toBe(false);
});

test('events are signed as the client library expects, in any order and repeatedly', async () => {
  const secret = 'whsec_test';
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const signature = String(request.headers['stripe-signature']);
    received.push(stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, secret).type);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  emulator.deliverTo({ url: `http://127.0.0.1:${address.port}`, secret });
  emulator.webhooks.hold();
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  await stripe.customers.del(customer.id);
  expect(received).toEqual([]);
  await emulator.webhooks.release((events) => [...events.toReversed(), ...events]);
  emulator.deliverTo(null);
  server.close();
  expect(received).toEqual(['customer.deleted', 'customer.created', 'customer.created', 'customer.deleted']);
});

test('a customer is found by the exact email address, with current metadata', async () => {
  const { id } = await stripe.customers.create({
    email: 'Ada@notes.example.com',
    metadata: { a: '1', b: '2' },
  });
  await stripe.customers.update(id, { email: 'ada@notes.example.com', metadata: { b: '', c: '3' } });
  const found = async (email: string) => (await stripe.customers.list({ email })).data;
  expect(await found('Ada@notes.example.com')).toEqual([]);
  expect(await found('ada@notes.example.com')).toMatchObject([{ id, metadata: { a: '1', c: '3' } }]);
});

test('closing the page at the card’s confirmation leaves a subscription that can be ended', async () => {
  const customer = await stripe.customers.create({ email: 'ada@example.com' });
  const { url } = await openSession(customer.id);
  emulator.pay(url ?? '', { card: 'asks', leaves: true });
  const [begun] = emulator.subscriptions(customer.id);
  expect(begun?.status).toBe('incomplete');
  expect((await stripe.subscriptions.cancel(begun?.id ?? '')).status).toBe('canceled');
});

test('faults occur as requested', async () => {
  emulator.faults.add({ times: 1, action: { kind: 'status', status: 500 } });
  const { data } = await stripe.prices.list({}, { maxNetworkRetries: 1 });
  expect(data).toHaveLength(3);
  emulator.faults.add({ action: { kind: 'malformed' } });
  await expect(stripe.prices.list({}, { maxNetworkRetries: 0 })).rejects.toMatchObject({
    type: 'StripeAPIError',
  });
  emulator.faults.clear();
});

import { subscription, subscriptionSynced } from '@winnow/contract/plan';
import { WEBHOOK_SECRET } from '@winnow/emulators/stripe/environment';
import { type StripeEvent, signatureOf } from '@winnow/emulators/stripe/webhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { call, failureOf } from '../../testing/caller.ts';
import { markProcessed, removeEventsBefore } from './store.ts';
import {
  newPayer,
  planAndStatusOf,
  requestPaymentPage,
  type SellingWinnow,
  sessionOfOthers,
  startSelling,
} from './testing/billing.ts';

let selling: SellingWinnow;
beforeAll(async () => {
  selling = await startSelling();
});
afterEach(async () => {
  selling.stripe.faults.clear();
  await selling.stripe.webhooks.release();
});
afterAll(() => selling.close());

const nowS = () => Math.floor(Date.now() / 1000);

function deliver(raw: string, signature: string | null = signatureOf(raw, WEBHOOK_SECRET, nowS())) {
  const headers = signature === null ? {} : { 'stripe-signature': signature };
  return call(selling.winnow.origin, 'POST', '/api/v1/billing/webhook', { raw, headers });
}

function eventAbout(object: Record<string, unknown>, type = 'customer.subscription.updated'): string {
  const id = `evt_${Math.random().toString(36).slice(2)}`;
  return JSON.stringify({ id, object: 'event', type, created: nowS(), data: { object } });
}

test('a request that Stripe has not signed changes nothing, and the response hides the reason', async () => {
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  const raw = eventAbout({
    id: subscriptionId,
    object: 'subscription',
    customer: customerId,
    status: 'canceled',
  });
  const good = signatureOf(raw, WEBHOOK_SECRET, nowS());
  const asked = selling.stripe.requests.all().length;
  const forgeries: [string, string | null][] = [
    [raw, null],
    [raw, ''],
    [raw, 'nonsense'],
    [raw, signatureOf(raw, 'whsec_ffffffffffffffffffffffffffffffff', nowS())],
    [raw, signatureOf(raw, WEBHOOK_SECRET, nowS() - 301)],
    [raw, good.replace(/t=\d+/, `t=${nowS() + 1}`)],
    [raw, good.replace('v1=', 'v0=')],
    [`${raw} `, good],
    [eventAbout({ id: subscriptionId, object: 'subscription' }), good],
    ['', signatureOf('', WEBHOOK_SECRET, nowS())],
    ['{', signatureOf('{', WEBHOOK_SECRET, nowS())],
  ];
  const answers = await Promise.all(forgeries.map(([body, signature]) => deliver(body, signature)));
  const failures = answers.map((answer) => failureOf(answer, 400));
  expect(new Set(failures.map((failure) => JSON.stringify(failure))).size).toBe(1);
  expect(selling.stripe.requests.all()).toHaveLength(asked);
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('the content of an event is not trusted: the state is read from Stripe', async () => {
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  const items = { data: [{ price: { lookup_key: 'winnow_ultra_month' } }] };
  const raw = eventAbout({
    id: subscriptionId,
    object: 'subscription',
    customer: customerId,
    status: 'active',
    items,
  });
  expect((await deliver(raw)).status).toBe(200);
  expect(await planAndStatusOf(caller)).toBe('pro active');
  const ended = eventAbout(
    { id: subscriptionId, object: 'subscription', customer: customerId },
    'customer.subscription.deleted',
  );
  expect((await deliver(ended)).status).toBe(200);
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('repeated events out of order lead to the latest state', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  stripe.webhooks.hold();
  stripe.setCard(customerId, 'declined');
  stripe.passPeriod(subscriptionId);
  stripe.setCard(customerId, 'works');
  stripe.cancelWithPeriod(subscriptionId);
  stripe.resume(subscriptionId);
  stripe.passPeriod(subscriptionId);
  stripe.cancelWithPeriod(subscriptionId);
  const held: StripeEvent[] = [];
  await stripe.webhooks.release((events) => {
    held.push(...events);
    return [...events.toReversed(), ...events];
  });
  const truth = stripe.subscriptions(customerId)[0];
  expect([truth?.status, truth?.cancel_at_period_end, held.length]).toEqual([
    'active',
    true,
    expect.any(Number),
  ]);
  expect(stripe.webhooks.deliveries.all.slice(-2 * held.length).map(({ status }) => status)).toEqual(
    Array.from({ length: 2 * held.length }, () => 200),
  );
  expect(await planAndStatusOf(caller)).toBe('pro pending_cancellation');
});

test('a processed event is not processed again', async () => {
  const { stripe } = selling;
  const { customerId, subscriptionId } = await newPayer(selling);
  const raw = eventAbout({ id: subscriptionId, object: 'subscription', customer: customerId });
  await deliver(raw);
  const asked = stripe.requests.all().length;
  expect((await deliver(raw)).status).toBe(200);
  expect(stripe.requests.all()).toHaveLength(asked);
});

test('the state follows each event: canceled, resumed, unpaid, ended immediately', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  const after = async (happens: () => void) => {
    happens();
    await stripe.webhooks.deliveries.settled();
    return planAndStatusOf(caller);
  };
  expect(await after(() => stripe.cancelWithPeriod(subscriptionId))).toBe('pro pending_cancellation');
  expect(await after(() => stripe.resume(subscriptionId))).toBe('pro active');
  stripe.setCard(customerId, 'declined');
  expect(await after(() => stripe.passPeriod(subscriptionId))).toBe('pro past_due');
  expect(await after(() => stripe.cancelAtOnce(subscriptionId))).toBe('nothing');
});

test('a customer deleted at Stripe pays for nothing and can buy again', async () => {
  const { stripe } = selling;
  const { caller, customerId } = await newPayer(selling);
  const path = `${stripe.url}/v1/customers/${customerId}`;
  await fetch(path, { method: 'DELETE', headers: { authorization: `Bearer ${stripe.secretKey}` } });
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('nothing');
  stripe.pay(await requestPaymentPage(caller, 'pro'));
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('a customer unknown at Stripe pays for nothing, is reported once, and can buy again', async () => {
  const { stripe, winnow } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  const unknown = `cus_${subscriptionId}`;
  await winnow.database.pool.query('update subscription set customer_id = $1 where customer_id = $2', [
    unknown,
    customerId,
  ]);
  for (let times = 0; times < 2; times += 1) {
    await caller.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced);
  }
  expect(await planAndStatusOf(caller)).toBe('nothing');
  const told = winnow.logLines.filter(({ customer }) => customer === unknown);
  expect(told).toEqual([expect.objectContaining({ level: 'warn', subscription: subscriptionId })]);
  stripe.pay(await requestPaymentPage(caller, 'ultra'));
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('ultra active');
});

test('a failed event is a 500, stays open, and is processed when Stripe sends it again', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  stripe.faults.add({ match: { path: '^/v1/customers/' }, action: { kind: 'status', status: 500 } });
  stripe.cancelWithPeriod(subscriptionId);
  await stripe.webhooks.deliveries.settled();
  expect(stripe.webhooks.deliveries.all.at(-1)?.status).toBe(500);
  expect(await planAndStatusOf(caller)).toBe('pro active');
  stripe.faults.clear();
  stripe.webhooks.deliveries.resend(1);
  await stripe.webhooks.deliveries.settled();
  expect(stripe.webhooks.deliveries.all.at(-1)?.status).toBe(200);
  expect(await planAndStatusOf(caller)).toBe('pro pending_cancellation');
});

test('events of unknown types and objects, and of other software, are accepted and ignored', async () => {
  const { stripe } = selling;
  const asked = stripe.requests.all().length;
  const stranger = stripe.addCustomer('stranger@example.com');
  for (const raw of [
    eventAbout({ id: 'pi_1', object: 'payment_intent', customer: 'cus_1' }, 'payment_intent.succeeded'),
    eventAbout({ id: 'sub_1', object: 'subscription', customer: stranger.id }),
    eventAbout({ id: 'sub_2', object: 'subscription', customer: { id: 'cus_2' } }),
    eventAbout({ id: stranger.id, object: 'customer' }, 'customer.deleted'),
    eventAbout({ id: 'cs_1', object: 'checkout.session' }, 'checkout.session.expired'),
    JSON.stringify({ id: 'evt_v2', object: 'v2.core.event', type: 'v2.something' }),
    '[]',
    'null',
  ]) {
    expect([raw, (await deliver(raw)).status]).toEqual([raw, 200]);
  }
  expect(stripe.requests.all()).toHaveLength(asked);
});

test('a session of other software with the same Stripe account changes nothing', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newCaller();
  const email = `${caller.name}@example.com`;
  for (const fields of [
    {},
    { 'metadata[winnow_site]': 'https://another-winnow.example.org' },
    { client_reference_id: 'an account', 'metadata[winnow_plan]': 'ultra' },
  ]) {
    const { url } = await sessionOfOthers(stripe, fields);
    stripe.pay(url, { email });
  }
  await stripe.webhooks.deliveries.settled();
  expect(stripe.webhooks.deliveries.all.at(-1)?.status).toBe(200);
  expect(await planAndStatusOf(caller)).toBe('nothing');
});

test('only the customer of a session decides which account it belongs to', async () => {
  const { stripe, winnow } = selling;
  const [attacker, victim] = [await winnow.newCaller(), await newPayer(selling)];
  await requestPaymentPage(attacker, 'pro');
  const { url } = await sessionOfOthers(stripe, {
    customer: victim.customerId,
    client_reference_id: attacker.name,
    'metadata[winnow_site]': winnow.origin,
    'metadata[winnow_account]': attacker.name,
  });
  stripe.pay(url);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(attacker)).toBe('nothing');
  expect(await planAndStatusOf(victim.caller)).toBe('pro active');
  const told = winnow.logLines.filter(({ message }) =>
    message?.startsWith('An account pays for more than one'),
  );
  expect(told.at(-1)).toMatchObject({ level: 'warn' });
});

test('the subscription that grants its plan counts, even if another one is newer', async () => {
  const { stripe, winnow } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  const { url } = await sessionOfOthers(stripe, {
    customer: customerId,
    'metadata[winnow_site]': winnow.origin,
  });
  stripe.pay(url);
  const newer = stripe.subscriptions(customerId).find(({ id }) => id !== subscriptionId);
  if (newer === undefined) throw new Error('There is no second subscription.');
  newer.created += 1;
  stripe.stopPaymentRetries(newer.id);
  await stripe.webhooks.deliveries.settled();
  expect(await caller.get('/billing/subscription', subscription)).toMatchObject({
    id: subscriptionId,
    status: 'active',
  });
});

test('two accounts cannot have the same customer', async () => {
  const { customerId } = await newPayer(selling);
  const other = await newPayer(selling);
  const stolen = selling.winnow.database.pool.query(
    'update subscription set customer_id = $1 where customer_id = $2',
    [customerId, other.customerId],
  );
  await expect(stolen).rejects.toThrow('subscription_customer_id_key');
});

test('events are deleted when their retention ends, and not before', async () => {
  const { db } = selling.winnow.database;
  await markProcessed(db, 'evt_old', new Date('2030-01-01T00:00:00Z'));
  await markProcessed(db, 'evt_new', new Date('2030-01-02T00:00:00Z'));
  await removeEventsBefore(db, new Date('2030-01-02T00:00:00Z'));
  const rows = await db
    .selectFrom('stripe_event')
    .select('id')
    .where('id', 'in', ['evt_old', 'evt_new'])
    .execute();
  expect(rows).toEqual([{ id: 'evt_new' }]);
  await removeEventsBefore(db, new Date('2030-01-03T00:00:00Z'));
});

test('forgeries are limited, signed events are not', async () => {
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  const forged = await Promise.all(Array.from({ length: 70 }, () => deliver('{}', 't=1,v1=00')));
  expect(forged.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  const raw = eventAbout({ id: subscriptionId, object: 'subscription', customer: customerId });
  expect((await deliver(raw)).status).toBe(200);
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

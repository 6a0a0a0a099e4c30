import { type Subscription, subscription, subscriptionSynced } from '@winnow/contract/plan';
import { apiUsage } from '@winnow/contract/usage';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../platform/clock.ts';
import type { Caller } from '../../testing/caller.ts';
import {
  callStripe,
  newPayer,
  planAndStatusOf,
  requestPaymentPage,
  type SellingWinnow,
  startSelling,
} from './testing/billing.ts';

let selling: SellingWinnow;
beforeAll(async () => {
  selling = await startSelling();
});
afterEach(async () => {
  const { faults, webhooks } = selling.stripe;
  faults.clear();
  await webhooks.deliveries.settled();
  expect(webhooks.deliveries.all.filter(({ status }) => status !== 200)).toEqual([]);
});
afterAll(() => selling.close());

const CHECKOUT = '/billing/create-checkout-session';

async function choose(caller: Caller, plan_id: string, interval = 'month'): Promise<Subscription> {
  const answer = await caller.call('POST', CHECKOUT, { plan_id, interval });
  expect([answer.status, answer.body]).toEqual([200, { action: 'refresh' }]);
  return caller.get('/billing/subscription', subscription);
}

async function happened(what: () => void): Promise<void> {
  what();
  await selling.stripe.webhooks.deliveries.settled();
}

/** Confirms the payment on Stripe's page, as some cards require. Does not wait for the webhooks. */
async function confirm(page: string): Promise<void> {
  const body = new URLSearchParams({ action: 'pay', card: '4000002760003184' });
  expect((await fetch(page, { method: 'POST', body })).status).toBe(200);
}

function sync(caller: Caller): Promise<unknown> {
  return caller.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced);
}

function invoicedTo(customerId: string): number[] {
  const invoices = selling.stripe.invoices().filter(({ customer }) => customer === customerId);
  return invoices.map(({ total }) => total);
}

test('a cheaper plan begins when the paid period ends, without a refund', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling, 'ultra');
  const waiting = await choose(caller, 'pro');
  expect(waiting).toMatchObject({ plan_id: 'ultra', status: 'active', cancel_at_period_end: false });
  expect(waiting.pending_change).toEqual({
    plan_id: 'pro',
    interval: 'month',
    at: waiting.current_period_end,
  });
  expect((await caller.get('/auth/api-usage', apiUsage)).limits.plan_id).toBe('ultra');
  expect(invoicedTo(customerId)).toEqual([20_000]);

  await happened(() => stripe.passPeriod(subscriptionId));
  const changed = await caller.get('/billing/subscription', subscription);
  expect(changed).toMatchObject({ plan_id: 'pro', status: 'active', pending_change: null });
  expect(changed.current_period_start).toBe(waiting.pending_change?.at);
  expect(invoicedTo(customerId)).toEqual([20_000, 2_000]);
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await planAndStatusOf(caller)).toBe('pro active');
  expect(invoicedTo(customerId)).toEqual([20_000, 2_000, 2_000]);
});

test('changing repeatedly between two plans is charged once', async () => {
  const { caller, customerId } = await newPayer(selling);
  for (const plan of ['ultra', 'pro', 'ultra', 'pro']) {
    expect((await choose(caller, plan)).plan_id).toBe('ultra');
  }
  expect(invoicedTo(customerId)).toEqual([2_000, 18_000]);
});

test.each([
  ['ultra', 'year', 'ultra', 'month', 200_000],
  ['ultra', 'month', 'pro', 'year', 20_000],
  ['ultra', 'year', 'pro', 'year', 200_000],
])('%s by the %s stays until its end before %s by the %s', async (plan, interval, other, by, paid) => {
  const caller = await selling.winnow.newCaller();
  selling.stripe.pay(await requestPaymentPage(caller, plan, interval));
  await selling.stripe.webhooks.deliveries.settled();
  const waiting = await choose(caller, other, by);
  expect(waiting).toMatchObject({
    plan_id: plan,
    interval,
    pending_change: { plan_id: other, interval: by },
  });
  const customer = selling.stripe.customers().find(({ email }) => email === `${caller.name}@example.com`);
  expect(invoicedTo(customer?.id ?? '')).toEqual([paid]);
});

test('choosing the current plan cancels a scheduled change; choosing another one replaces it', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling, 'ultra');
  await choose(caller, 'pro');
  expect((await choose(caller, 'ultra')).pending_change).toBeNull();
  await caller.fail('POST', CHECKOUT, 409, { plan_id: 'ultra', interval: 'month' });
  await choose(caller, 'pro');
  expect((await choose(caller, 'pro', 'year')).pending_change).toMatchObject({
    plan_id: 'pro',
    interval: 'year',
  });
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await caller.get('/billing/subscription', subscription)).toMatchObject({
    plan_id: 'pro',
    interval: 'year',
    pending_change: null,
  });
  expect(invoicedTo(customerId)).toEqual([20_000, 20_000]);
});

test('a more expensive plan begins immediately and drops a scheduled change', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling, 'ultra');
  await choose(caller, 'pro');
  expect(await choose(caller, 'ultra', 'year')).toMatchObject({
    plan_id: 'ultra',
    interval: 'year',
    pending_change: null,
  });
  expect(invoicedTo(customerId)).toEqual([20_000, 180_000]);
  // A plan that began by schedule can be changed while that schedule still exists.
  const { caller: other, subscriptionId: changed } = await newPayer(selling, 'ultra');
  await choose(other, 'pro');
  await happened(() => stripe.passPeriod(changed));
  expect((await choose(other, 'ultra')).plan_id).toBe('ultra');
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await planAndStatusOf(caller)).toBe('ultra active');
});

test('canceling drops the scheduled change; choosing a cheaper plan afterwards revives the subscription and schedules that plan', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling, 'ultra');
  await choose(caller, 'pro');
  await happened(() => stripe.cancelWithPeriod(subscriptionId));
  const ending = await caller.get('/billing/subscription', subscription);
  expect(ending).toMatchObject({ status: 'pending_cancellation', pending_change: null });
  const goesOn = await choose(caller, 'pro');
  expect(goesOn).toMatchObject({ plan_id: 'ultra', status: 'active', pending_change: { plan_id: 'pro' } });
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('choosing the current plan after canceling revokes the cancellation', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  await happened(() => stripe.cancelWithPeriod(subscriptionId));
  const goesOn = await choose(caller, 'pro');
  expect(goesOn).toMatchObject({ plan_id: 'pro', status: 'active', cancel_at_period_end: false });
  expect(invoicedTo(customerId)).toEqual([2_000]);
});

test('a scheduled change keeps its plan when the lookup key moves to a new price', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling, 'ultra');
  await choose(caller, 'pro');
  stripe.addPrice({ lookup_key: 'winnow_pro_month', unit_amount: 2_000, interval: 'month' });
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('a schedule that the operator made in Stripe is not mistaken for a plan change', async () => {
  const { caller, subscriptionId } = await newPayer(selling);
  await callStripe(selling.stripe, 'subscription_schedules', { from_subscription: subscriptionId });
  await caller.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced);
  const read = await caller.get('/billing/subscription', subscription);
  expect(read).toMatchObject({ plan_id: 'pro', status: 'active', pending_change: null });
});

test('a change that needs payment is displayed until it is paid, expires or is canceled', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  const waiting = async () => (await caller.get('/billing/subscription', subscription)).waiting_change;
  const cancel = () => caller.call('POST', '/billing/cancel-waiting-change');
  expect(await waiting()).toBeNull();
  expect((await cancel()).body).toMatchObject({ code: 'nothing_waits' });
  stripe.setCard(customerId, 'asks');
  await requestPaymentPage(caller, 'ultra', 'year');
  const until = expect.stringMatching(/^20/);
  expect(await waiting()).toEqual({ plan_id: 'ultra', interval: 'year', until });
  expect((await cancel()).status).toBe(200);
  expect(await waiting()).toBeNull();
  expect((await cancel()).status).toBe(409);
  expect(stripe.invoices().filter(({ customer }) => customer === customerId)[1]?.status).toBe('void');
  await confirm(await requestPaymentPage(caller, 'ultra'));
  await stripe.webhooks.deliveries.settled();
  expect([await waiting(), await planAndStatusOf(caller)]).toEqual([null, 'ultra active']);
  await requestPaymentPage(caller, 'ultra', 'year');
  expect(await waiting()).not.toBeNull();
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await waiting()).toBeNull();
});

test('choosing a cheaper plan while another change needs payment is refused', async () => {
  const { stripe } = selling;
  const { caller, customerId } = await newPayer(selling, 'ultra');
  stripe.setCard(customerId, 'asks');
  await requestPaymentPage(caller, 'ultra', 'year');
  const refused = await caller.fail('POST', CHECKOUT, 409, { plan_id: 'pro', interval: 'month' });
  expect(refused.code).toBe('payment_waits');
});

const CANCELLED = {
  'with the period': (id: string) => selling.stripe.cancelWithPeriod(id),
  'at a custom date': (id: string) => selling.stripe.cancelAt(id, new Date(Date.now() + 20 * DAY_MS)),
} as const;

test.each(Object.entries(CANCELLED))(
  'a subscription canceled %s continues once a more expensive plan is confirmed and paid, in any order of events',
  async (_, cancel) => {
    const { stripe } = selling;
    const { caller, customerId, subscriptionId } = await newPayer(selling);
    await happened(() => cancel(subscriptionId));
    stripe.setCard(customerId, 'asks');
    const page = await requestPaymentPage(caller, 'ultra');
    expect(await planAndStatusOf(caller)).toBe('pro pending_cancellation');
    stripe.webhooks.hold();
    await confirm(page);
    await stripe.webhooks.release((events) => [...events.toReversed(), ...events]);
    expect(await planAndStatusOf(caller)).toBe('ultra active');
    await happened(() => stripe.setCard(customerId, 'works'));
    await happened(() => stripe.passPeriod(subscriptionId));
    expect(await planAndStatusOf(caller)).toBe('ultra active');
  },
);

test('a cancellation made after a paid plan change is preserved, even if events are repeated', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  await happened(() => stripe.cancelWithPeriod(subscriptionId));
  stripe.setCard(customerId, 'asks');
  const page = await requestPaymentPage(caller, 'ultra');
  await confirm(page);
  await Promise.all([sync(caller), sync(caller), stripe.webhooks.deliveries.settled()]);
  expect(await planAndStatusOf(caller)).toBe('ultra active');
  await happened(() => stripe.cancelWithPeriod(subscriptionId));
  for (const event of stripe.webhooks.events) {
    if (event.data.object.customer !== customerId) continue;
    stripe.webhooks.deliver({ ...event, id: `${event.id}_again` });
  }
  await stripe.webhooks.deliveries.settled();
  await sync(caller);
  expect(await planAndStatusOf(caller)).toBe('ultra pending_cancellation');
});

test('a cancellation while a change awaits payment is preserved, unless the plan is chosen again', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  stripe.setCard(customerId, 'asks');
  const page = await requestPaymentPage(caller, 'ultra');
  await happened(() => stripe.cancelWithPeriod(subscriptionId));
  const again = await requestPaymentPage(caller, 'ultra');
  expect(again).not.toBe(page);
  expect(await requestPaymentPage(caller, 'ultra')).toBe(again);
  await confirm(again);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('ultra active');

  const other = await newPayer(selling);
  stripe.setCard(other.customerId, 'asks');
  const early = await requestPaymentPage(other.caller, 'ultra');
  await happened(() => stripe.cancelWithPeriod(other.subscriptionId));
  await confirm(early);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(other.caller)).toBe('ultra pending_cancellation');
});

test('a scheduled change still happens while a more expensive change is unpaid', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling, 'ultra');
  const { pending_change } = await choose(caller, 'pro');
  expect(pending_change).toMatchObject({ plan_id: 'pro' });
  stripe.setCard(customerId, 'asks');
  stripe.webhooks.hold();
  const page = await requestPaymentPage(caller, 'ultra', 'year');
  const waiting = await caller.get('/billing/subscription', subscription);
  expect(waiting).toMatchObject({ plan_id: 'ultra', interval: 'month', pending_change });
  expect(await requestPaymentPage(caller, 'ultra', 'year')).toBe(page);
  await stripe.webhooks.release();
  await happened(() => stripe.setCard(customerId, 'works'));
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await planAndStatusOf(caller)).toBe('pro active');
  expect(invoicedTo(customerId)).toEqual([20_000, 180_000, 2_000]);
  expect(stripe.invoices().filter(({ customer }) => customer === customerId)[1]?.status).toBe('void');
});

test('a scheduled change is dropped when the more expensive change is paid, also for concurrent events', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling, 'ultra');
  await choose(caller, 'pro');
  stripe.setCard(customerId, 'asks');
  const page = await requestPaymentPage(caller, 'ultra', 'year');
  await stripe.webhooks.deliveries.settled();
  stripe.webhooks.hold();
  await confirm(page);
  await Promise.all([
    sync(caller),
    sync(caller),
    stripe.webhooks.release((events) => [...events, ...events]),
  ]);
  expect(await caller.get('/billing/subscription', subscription)).toMatchObject({
    plan_id: 'ultra',
    interval: 'year',
    pending_change: null,
  });
  await happened(() => stripe.setCard(customerId, 'works'));
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await planAndStatusOf(caller)).toBe('ultra active');
});

test('a scheduled change still happens when Stripe refuses the more expensive change', async () => {
  const { stripe } = selling;
  const { caller } = await newPayer(selling, 'ultra');
  const { pending_change } = await choose(caller, 'pro');
  const match = { method: 'POST', path: '/v1/subscriptions/' };
  const body = { error: { type: 'invalid_request_error', message: 'no' } };
  stripe.faults.add({ match, action: { kind: 'status', status: 400, body } });
  await caller.fail('POST', CHECKOUT, 502, { plan_id: 'ultra', interval: 'year' });
  stripe.faults.clear();
  await sync(caller);
  expect((await caller.get('/billing/subscription', subscription)).pending_change).toEqual(pending_change);
});

test('a scheduled change still happens when the process crashes before the more expensive change', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling, 'ultra');
  const { pending_change } = await choose(caller, 'pro');
  const action = {
    kind: 'status',
    status: 400,
    body: { error: { type: 'api_error', message: 'no' } },
  } as const;
  // Lets the first two updates succeed: storing the note and releasing the schedule. Later requests
  // fail.
  stripe.faults.add({ match: { method: 'POST', path: '/v1/subscriptions/' }, skip: 1, action });
  stripe.faults.add({ match: { method: 'POST', path: '/v1/subscription_schedules$' }, action });
  await caller.fail('POST', CHECKOUT, 502, { plan_id: 'ultra', interval: 'year' });
  stripe.faults.clear();
  const read = async () => {
    await sync(caller);
    return (await caller.get('/billing/subscription', subscription)).pending_change;
  };
  expect(await read()).toBeNull();
  // Waits for all webhooks, so that only the calls below read the subscription.
  await stripe.webhooks.deliveries.settled();
  stripe.webhooks.hold();
  const stored = stripe.subscriptions().find(({ id }) => id === subscriptionId);
  const note = JSON.parse(stored?.metadata.winnow_to_come ?? '{}');
  const noted_at = new Date(Date.now() - 121_000).toISOString();
  Object.assign(stored?.metadata ?? {}, { winnow_to_come: JSON.stringify({ ...note, noted_at }) });
  // Simulates a second crash, after the schedule was created and before its phases were set.
  stripe.faults.add({ match: { method: 'POST', path: '/v1/subscription_schedules/' }, action });
  await caller.fail('POST', '/billing/sync-subscription', 502);
  stripe.faults.clear();
  expect(await read()).toEqual(pending_change);
  await stripe.webhooks.release();
  expect(stored?.metadata.winnow_to_come).toBeUndefined();
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('choosing the current plan after a crash cancels the scheduled change', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling, 'ultra');
  await choose(caller, 'pro');
  const action = {
    kind: 'status',
    status: 400,
    body: { error: { type: 'api_error', message: 'no' } },
  } as const;
  stripe.faults.add({ match: { method: 'POST', path: '/v1/subscriptions/' }, skip: 1, action });
  stripe.faults.add({ match: { method: 'POST', path: '/v1/subscription_schedules$' }, action });
  await caller.fail('POST', CHECKOUT, 502, { plan_id: 'ultra', interval: 'year' });
  stripe.faults.clear();
  await choose(caller, 'ultra');
  const stored = stripe.subscriptions().find(({ id }) => id === subscriptionId);
  expect(stored?.metadata.winnow_to_come).toBeUndefined();
  await happened(() => stripe.passPeriod(subscriptionId));
  expect(await planAndStatusOf(caller)).toBe('ultra active');
});

test('after a change, the plan is still recognized when its lookup key moves to a new price', async () => {
  const { stripe } = selling;
  const { caller } = await newPayer(selling);
  await choose(caller, 'ultra');
  stripe.addPrice({ lookup_key: 'winnow_ultra_month', unit_amount: 20_000, interval: 'month' });
  await sync(caller);
  expect(await planAndStatusOf(caller)).toBe('ultra active');
});

test('a cancellation at a custom date shows that date, and another plan revokes it', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  const end = new Date(Math.floor(Date.now() / 1000) * 1000 + 45 * DAY_MS);
  await happened(() => stripe.cancelAt(subscriptionId, end));
  expect(await caller.get('/billing/subscription', subscription)).toMatchObject({
    status: 'pending_cancellation',
    current_period_end: end.toISOString(),
    cancel_at_period_end: true,
  });
  const goesOn = await choose(caller, 'ultra');
  expect(goesOn).toMatchObject({ plan_id: 'ultra', status: 'active', cancel_at_period_end: false });
  expect(stripe.subscriptions().find(({ id }) => id === subscriptionId)?.cancel_at).toBeNull();
});

test('during a trial every plan begins immediately, because nothing was paid', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling, 'ultra');
  const trial = stripe.subscriptions().find(({ id }) => id === subscriptionId);
  if (trial === undefined) throw new Error('There is no subscription.');
  trial.status = 'trialing';
  await caller.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced);
  expect(await planAndStatusOf(caller)).toBe('ultra trialing');
  expect((await caller.get('/auth/api-usage', apiUsage)).limits.plan_id).toBe('ultra');
  expect((await choose(caller, 'pro')).plan_id).toBe('pro');
});

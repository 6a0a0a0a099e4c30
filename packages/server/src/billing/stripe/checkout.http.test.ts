import {
  checkoutAnswer,
  planList,
  portalAnswer,
  subscription,
  subscriptionSynced,
} from '@winnow/contract/plan';
import { apiUsage } from '@winnow/contract/usage';
import { WEBHOOK_SECRET } from '@winnow/emulators/stripe/environment';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { call, failureOf } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { listenLive } from '../../testing/live-listener.ts';
import { AccountPlans } from '../plans/account-plans.ts';
import { Checkout } from './checkout.ts';
import { StripeClient } from './client.ts';
import {
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
afterEach(() => selling.stripe.faults.clear());
afterAll(() => selling.close());

const CHECKOUT = '/billing/create-checkout-session';

test('an account that never paid is on the Free plan and has nothing to manage', async () => {
  const caller = await selling.winnow.newCaller();
  expect(await caller.fail('GET', '/billing/subscription', 404)).toEqual({
    code: 'not_found',
    detail: 'Not found.',
  });
  expect((await caller.get('/auth/api-usage', apiUsage)).limits.plan_id).toBe('free');
  const portal = await caller.fail('POST', '/billing/create-portal-session', 409, {
    return_url: `${selling.winnow.origin}/console`,
  });
  expect(portal.code).toBe('nothing_paid');
  expect(await caller.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced)).toEqual({
    status: 'success',
  });
});

test('paying leads back to the console, the event grants the plan, and open screens are notified', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newCaller();
  const live = await listenLive(winnow.origin, caller.tokens.access_token);
  const url = await requestPaymentPage(caller, 'pro', 'year');
  expect(stripe.pay(url)).toBe(
    `${winnow.origin}/console/settings/subscription?message=Thank_you._Your_payment_went_through.`,
  );
  await live.heard(({ type }) => type === 'subscription_updated');
  await stripe.webhooks.deliveries.settled();
  const paid = await caller.get('/billing/subscription', subscription);
  expect(paid).toMatchObject({
    plan_id: 'pro',
    status: 'active',
    interval: 'year',
    cancel_at_period_end: false,
  });
  const years = Date.parse(paid.current_period_end ?? '') - Date.parse(paid.current_period_start ?? '');
  expect(Math.round(years / 86_400_000)).toBeGreaterThanOrEqual(365);
  expect((await caller.get('/auth/api-usage', apiUsage)).limits.plan_id).toBe('pro');
  await live.close();
});

test('if the webhook event is missing, a sync grants the plan', async () => {
  const { stripe } = selling;
  const caller = await selling.winnow.newCaller();
  stripe.webhooks.hold();
  stripe.pay(await requestPaymentPage(caller, 'ultra'));
  expect(await planAndStatusOf(caller)).toBe('nothing');
  await caller.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced);
  expect(await planAndStatusOf(caller)).toBe('ultra active');
  await stripe.webhooks.release();
  expect(await planAndStatusOf(caller)).toBe('ultra active');
});

test('one customer is created, and a double click opens one page', async () => {
  const { stripe } = selling;
  const caller = await selling.winnow.newCaller();
  const clicks = await Promise.all(Array.from({ length: 4 }, () => requestPaymentPage(caller, 'pro')));
  expect(new Set(clicks).size).toBe(1);
  expect(await requestPaymentPage(caller, 'pro')).toBe(clicks[0]);
  const customers = stripe.customers().filter(({ email }) => email === `${caller.name}@example.com`);
  expect(customers).toHaveLength(1);
  const sessions = stripe.sessions().filter(({ customer }) => customer === customers[0]?.id);
  expect(sessions).toHaveLength(1);
});

test('if two processes create a customer at the same time, only one remains, also at Stripe', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newCaller();
  const { db } = winnow.database;
  const { account_id } = await db
    .selectFrom('app_user')
    .select('account_id')
    .where('username', '=', caller.name)
    .executeTakeFirstOrThrow();
  const client = new StripeClient({
    secretKey: stripe.secretKey,
    webhookSecret: WEBHOOK_SECRET,
    apiUrl: stripe.url,
  });
  const made = await Promise.all(
    [1, 2].map(() =>
      new Checkout({
        db,
        client,
        plans: new AccountPlans({ db, selfHosted: null }),
        publicUrl: () => winnow.origin,
        emailOf: async () => `${caller.name}@example.com`,
      }).customerOf(account_id),
    ),
  );
  expect(new Set(made).size).toBe(1);
  const customers = stripe.customers().filter(({ email }) => email === `${caller.name}@example.com`);
  expect(customers.map(({ id }) => id)).toEqual([made[0]]);
});

test('while Stripe delays many buyers, other requests are served', async () => {
  const { stripe, winnow } = selling;
  const buyers = await Promise.all(Array.from({ length: 12 }, () => winnow.newCaller()));
  const other = await winnow.newCaller();
  const delay = { kind: 'delay', delayMs: 4_000 } as const;
  stripe.faults.add({ match: { method: 'POST', path: '^/v1/customers$' }, action: delay });
  const pages = Promise.all(buyers.map((buyer) => requestPaymentPage(buyer, 'pro')));
  await eventually(() => stripe.faults.list().some(({ fired }) => fired >= buyers.length));
  const first = await Promise.race([
    other.get('/auth/api-usage', apiUsage).then(() => 'the other request'),
    pages.then(() => 'the buyers'),
  ]);
  expect(first).toBe('the other request');
  expect(new Set(await pages).size).toBe(12);
});

test('a page for another plan replaces the previous one, which cannot be paid afterwards', async () => {
  const { stripe } = selling;
  const caller = await selling.winnow.newCaller();
  const first = await requestPaymentPage(caller, 'pro');
  const second = await requestPaymentPage(caller, 'ultra');
  expect(() => stripe.pay(first)).toThrow('not open');
  stripe.pay(second);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('ultra active');
  expect((await fetch(first)).status).toBe(200);
});

test('a declined card pays nothing, and the page stays open', async () => {
  const { stripe } = selling;
  const caller = await selling.winnow.newCaller();
  const url = await requestPaymentPage(caller, 'pro');
  expect(() => stripe.pay(url, { card: 'declined' })).toThrow('Your card was declined.');
  expect(await planAndStatusOf(caller)).toBe('nothing');
  stripe.pay(url);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('a plan change applies immediately, and the paid amount is credited', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  const change = { plan_id: 'ultra', interval: 'month' };
  const answers = await Promise.all([
    caller.call('POST', CHECKOUT, change),
    caller.call('POST', CHECKOUT, change),
  ]);
  // The second call gets 409 if it arrives after the first call has finished.
  expect(answers.map(({ status }) => status).sort()).toEqual([
    200,
    expect.toSatisfy((it) => it === 200 || it === 409),
  ]);
  expect(checkoutAnswer.parse(answers.find(({ status }) => status === 200)?.body)).toEqual({
    action: 'refresh',
  });
  expect(await planAndStatusOf(caller)).toBe('ultra active');
  expect(stripe.subscriptions(customerId).map(({ id }) => id)).toEqual([subscriptionId]);
  const invoices = stripe.invoices().filter(({ customer }) => customer === customerId);
  expect(invoices.map(({ amount_paid }) => amount_paid)).toEqual([2_000, 18_000]);
});

test('the current plan is refused, but changing it from monthly to yearly is a plan change', async () => {
  const { caller } = await newPayer(selling);
  const refused = await caller.fail('POST', CHECKOUT, 409, { plan_id: 'pro', interval: 'month' });
  expect(refused.code).toBe('current_plan');
  await caller.send('POST', CHECKOUT, { plan_id: 'pro', interval: 'year' }, checkoutAnswer);
  expect((await caller.get('/billing/subscription', subscription)).interval).toBe('year');
});

test('a change that requires confirmation waits for it on a page of Stripe', async () => {
  const { stripe } = selling;
  const { caller, customerId } = await newPayer(selling);
  stripe.setCard(customerId, 'asks');
  const page = await requestPaymentPage(caller, 'ultra');
  expect(new URL(page).origin).toBe(stripe.url);
  expect(await requestPaymentPage(caller, 'ultra')).toBe(page);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('pro active');
  const paid = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay', card: '4000002760003184' }),
  });
  expect(paid.status).toBe(200);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('ultra active');
});

test('choosing a plan after canceling continues it', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  stripe.cancelWithPeriod(subscriptionId);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('pro pending_cancellation');
  await caller.send('POST', CHECKOUT, { plan_id: 'ultra', interval: 'month' }, checkoutAnswer);
  expect(await planAndStatusOf(caller)).toBe('ultra active');
});

test('a caller with a due payment is sent to the payment page, and has the plan again after paying', async () => {
  const { stripe } = selling;
  const { caller, customerId, subscriptionId } = await newPayer(selling);
  stripe.setCard(customerId, 'declined');
  stripe.passPeriod(subscriptionId);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('pro past_due');
  expect((await caller.get('/auth/api-usage', apiUsage)).limits.plan_id).toBe('pro');
  stripe.stopPaymentRetries(subscriptionId);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('pro unpaid');
  expect((await caller.get('/auth/api-usage', apiUsage)).limits.plan_id).toBe('free');
  const page = await requestPaymentPage(caller, 'ultra');
  await fetch(page, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay', card: '4242424242424242' }),
  });
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('an ended subscription can be bought again', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  stripe.cancelWithPeriod(subscriptionId);
  stripe.passPeriod(subscriptionId);
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('nothing');
  stripe.pay(await requestPaymentPage(caller, 'pro'));
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test.each([
  ['free', 422, 'invalid_fields'],
  ['enterprise', 422, 'invalid_fields'],
  ['platinum', 404, 'not_found'],
])('the plan %s is not sold', async (plan_id, status, code) => {
  const caller = await selling.winnow.newCaller();
  expect((await caller.fail('POST', CHECKOUT, status, { plan_id, interval: 'month' })).code).toBe(code);
});

test('a custom plan is sold only to its account, not to others and not to visitors', async () => {
  const { stripe, winnow } = selling;
  const [mine, others] = [await winnow.newCaller(), await winnow.newCaller()];
  await winnow.database.pool.query(
    `insert into custom_plan (id, account_id, name, price_monthly, price_annually, features)
     select 'acme', account_id, 'Acme', 99.50, null, $2 from app_user where username = $1`,
    [
      mine.name,
      JSON.stringify({
        api_calls_monthly: -1,
        ai_calls_monthly: 5_000,
        issues_ingested_monthly: -1,
        custom_ai_models_enabled: true,
        custom_compliance_metrics_enabled: true,
      }),
    ],
  );
  expect((await mine.get('/billing/custom-plans', planList)).map(({ id }) => id)).toEqual(['acme']);
  expect(await others.get('/billing/custom-plans', planList)).toEqual([]);
  const request = { plan_id: 'acme', interval: 'month' };
  const missing = await mine.fail('POST', CHECKOUT, 502, request);
  expect(missing.detail).toContain('not set up at Stripe');
  stripe.addPrice({ lookup_key: 'winnow_acme_month', unit_amount: 9_950, interval: 'month' });
  await others.fail('POST', CHECKOUT, 404, request);
  failureOf(await call(winnow.origin, 'POST', `/api/v1${CHECKOUT}`, { body: request }), 404);
  await mine.fail('POST', CHECKOUT, 422, { ...request, interval: 'year' });
  stripe.pay(await requestPaymentPage(mine, 'acme'));
  await stripe.webhooks.deliveries.settled();
  expect(await planAndStatusOf(mine)).toBe('acme active');
  expect((await mine.get('/auth/api-usage', apiUsage)).limits.plan_id).toBe('acme');

  await winnow.database.pool.query(`delete from custom_plan where id = 'acme'`);
  await mine.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced);
  expect((await mine.get('/auth/api-usage', apiUsage)).limits.plan_id).toBe('free');
  const told = winnow.logLines.filter(({ message }) =>
    message?.startsWith('An account pays for an unknown plan'),
  );
  expect(told.at(-1)).toMatchObject({ level: 'warn', planId: 'acme' });
});

test('a price that differs from the displayed one is not charged', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newCaller();
  stripe.addPrice({ lookup_key: 'winnow_pro_month', unit_amount: 20_000, interval: 'month' });
  await caller.fail('POST', CHECKOUT, 502, { plan_id: 'pro', interval: 'month' });
  stripe.addPrice({ lookup_key: 'winnow_pro_month', unit_amount: 2_000, interval: 'month', currency: 'eur' });
  await caller.fail('POST', CHECKOUT, 502, { plan_id: 'pro', interval: 'month' });
  stripe.addPrice({ lookup_key: 'winnow_pro_month', unit_amount: 2_000, interval: 'month' });
  await requestPaymentPage(caller, 'pro');
});

test('a subscription keeps its plan when the lookup key moves to a new price', async () => {
  const { stripe } = selling;
  const { caller } = await newPayer(selling);
  stripe.addPrice({ lookup_key: 'winnow_pro_month', unit_amount: 2_000, interval: 'month' });
  await caller.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced);
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

test('the portal leads back to this site only', async () => {
  const { stripe, winnow } = selling;
  const { caller, customerId } = await newPayer(selling);
  const back = `${winnow.origin}/console/settings/subscription`;
  const { url } = await caller.send(
    'POST',
    '/billing/create-portal-session',
    { return_url: back },
    portalAnswer,
  );
  expect(await (await fetch(url)).text()).toContain('winnow_pro_month: active');
  const host = new URL(winnow.origin).host;
  for (const return_url of [
    'https://evil.example.org/',
    `https://${host}/`,
    `http://${host}@evil.example.org/`,
    `http://somebody@${host}/`,
    `http://${host}.evil.example.org/`,
    'javascript:alert(1)',
    `blob:${winnow.origin}/x`,
    '/console',
  ]) {
    const failure = await caller.fail('POST', '/billing/create-portal-session', 422, { return_url });
    expect([return_url, failure.fields?.map(({ path }) => path)]).toEqual([return_url, ['return_url']]);
  }
  expect(stripe.requests.all().filter(({ path }) => path === '/v1/billing_portal/sessions')).toHaveLength(1);
  expect(customerId).toMatch(/^cus_/);
});

test('Stripe receives the return address as parsed, not as typed', async () => {
  const { stripe, winnow } = selling;
  const { caller } = await newPayer(selling);
  const { host } = new URL(winnow.origin);
  const asked = stripe.requests.all().length;
  const typed = [
    `  http://${host}/console`,
    `http:\\\\${host}\\console`,
    `http:\\\\${host}\\@evil.example.org/`,
  ];
  for (const return_url of typed) {
    await caller.send('POST', '/billing/create-portal-session', { return_url }, portalAnswer);
  }
  const sent = stripe.requests.all().slice(asked);
  expect(sent.map(({ body }) => new URLSearchParams(String(body)).get('return_url'))).toEqual([
    `${winnow.origin}/console`,
    `${winnow.origin}/console`,
    `${winnow.origin}/@evil.example.org/`,
  ]);
});

test.each([
  ['does not respond', { kind: 'drop', when: 'before' }, 'Stripe cannot be reached.'],
  ['fails', { kind: 'status', status: 500 }, 'Stripe is unavailable at the moment.'],
  ['sends no JSON', { kind: 'malformed' }, 'Stripe is unavailable at the moment.'],
  [
    'sends something else',
    { kind: 'status', status: 200, body: { object: 'nothing' } },
    'Stripe sent an unexpected response',
  ],
  [
    'refuses the key',
    { kind: 'status', status: 401, body: { error: { message: 'no' } } },
    'Stripe does not accept',
  ],
] as const)(
  'when Stripe %s, the error says so and the stored state does not change',
  async (_, action, sentence) => {
    const { stripe } = selling;
    const { caller } = await newPayer(selling);
    stripe.faults.add({ action });
    for (const [path, body] of [
      ['/billing/sync-subscription', undefined],
      [CHECKOUT, { plan_id: 'ultra', interval: 'month' }],
      ['/billing/create-portal-session', { return_url: selling.winnow.origin }],
    ] as const) {
      const failure = await caller.fail('POST', path, 502, body);
      expect([path, failure.code, failure.detail]).toEqual([
        path,
        'upstream_failed',
        expect.stringContaining(sentence),
      ]);
    }
    expect(await planAndStatusOf(caller)).toBe('pro active');
    stripe.faults.clear();
    await caller.send('POST', CHECKOUT, { plan_id: 'ultra', interval: 'month' }, checkoutAnswer);
    expect(await planAndStatusOf(caller)).toBe('ultra active');
  },
);

test('a plan change whose response is lost is made only once', async () => {
  const { stripe } = selling;
  const { caller, customerId } = await newPayer(selling);
  stripe.faults.add({
    match: { method: 'POST', path: '/v1/subscriptions/' },
    times: 1,
    action: { kind: 'drop', when: 'mid-body' },
  });
  await caller.call('POST', CHECKOUT, { plan_id: 'ultra', interval: 'month' });
  await caller.send('POST', '/billing/sync-subscription', undefined, subscriptionSynced);
  expect(await planAndStatusOf(caller)).toBe('ultra active');
  expect(stripe.invoices().filter(({ customer }) => customer === customerId)).toHaveLength(2);
});

test('neither the secret key nor the signing secret appears in a response or a log line', () => {
  const { logLines } = selling.winnow;
  const said = JSON.stringify(logLines);
  expect(said).not.toContain(selling.stripe.secretKey);
  expect(said).not.toContain('whsec_');
});

import { WEBHOOK_SECRET } from '@winnow/emulators/stripe/environment';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { markSubscriptionsUnread } from './store.ts';
import {
  newPayer,
  planAndStatusOf,
  requestPaymentPage,
  requestPaymentPageAsVisitor,
  type SellingWinnow,
  startSelling,
} from './testing/billing.ts';

let selling: SellingWinnow;
beforeAll(async () => {
  selling = await startSelling();
});
afterEach(() => {
  selling.stripe.faults.clear();
  selling.stripe.deliverTo({ url: selling.webhookUrl, secret: WEBHOOK_SECRET });
});
afterAll(() => selling.close());

/** Runs the daily job immediately and waits until it has finished. */
async function aDayPasses(): Promise<void> {
  const { pool } = selling.winnow.database;
  const job = (more: string) => `graphile_worker._private_jobs ${more} where key = 'look-after-billing'`;
  await eventually(async () => (await pool.query(`select from ${job('')}`)).rowCount === 1);
  await pool.query(`update ${job('set run_at = now()')}`);
  // The job has finished when it is scheduled for the next day.
  await eventually(
    async () => (await pool.query(`select from ${job('')} and run_at > now()`)).rowCount === 1,
  );
}

/** Sets the number of days since the account's subscription was last read. */
async function readDaysAgo({ name }: Caller, days: number): Promise<void> {
  await selling.winnow.database.pool.query(
    `update subscription set read_at = read_at - $2 * interval '1 day'
     from app_user where app_user.account_id = subscription.account_id and username = $1`,
    [name, days],
  );
}

function readings(since: number): number {
  const { requests } = selling.stripe;
  return requests
    .all()
    .slice(since)
    .filter(({ method, path }) => method === 'GET' && /^\/v1\/customers\/./.test(path)).length;
}

test('a subscription that ended without an event grants its plan until a day after its period', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  stripe.deliverTo(null);
  stripe.cancelAtOnce(subscriptionId);
  await aDayPasses();
  expect(await planAndStatusOf(caller)).toBe('pro active');
  const { pool } = selling.winnow.database;
  await pool.query(
    `update subscription set current_period_end = now() - interval '25 hours' where subscription_id = $1`,
    [subscriptionId],
  );
  await aDayPasses();
  expect(await planAndStatusOf(caller)).toBe('nothing');
});

test('a subscription that was not read for days is read again, but a recently read one is not', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  stripe.deliverTo(null);
  stripe.cancelWithPeriod(subscriptionId);
  await readDaysAgo(caller, 2);
  const asked = stripe.requests.all().length;
  await aDayPasses();
  expect([await planAndStatusOf(caller), readings(asked)]).toEqual(['pro active', 0]);
  await readDaysAgo(caller, 2);
  await aDayPasses();
  expect(await planAndStatusOf(caller)).toBe('pro pending_cancellation');
});

test('after a restore all subscriptions are read again', async () => {
  const { stripe, winnow } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  stripe.deliverTo(null);
  stripe.cancelAtOnce(subscriptionId);
  await markSubscriptionsUnread(winnow.database.db);
  await aDayPasses();
  expect(await planAndStatusOf(caller)).toBe('nothing');
});

test('payments without an event are found and settled once', async () => {
  const { mails, stripe, winnow } = selling;
  const [buyer, payer] = [await winnow.newCaller(), await newPayer(selling)];
  stripe.deliverTo(null);
  stripe.pay(await requestPaymentPage(buyer, 'pro'));
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email: 'unheard@example.com' });
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'ultra'), {
    email: `${payer.caller.name}@example.com`,
  });
  await aDayPasses();
  expect(await planAndStatusOf(buyer)).toBe('pro active');
  expect(await planAndStatusOf(payer.caller)).toBe('pro active');
  const mailed = (to: string, subject: string) =>
    mails.received.filter((mail) => mail.to.includes(to) && mail.parsed.subject === subject).length;
  const mailsAre = () => [
    mailed('unheard@example.com', 'Your Winnow account'),
    mailed(`${payer.caller.name}@example.com`, 'Your payment needs attention'),
  ];
  await eventually(() => mailsAre().every((count) => count > 0));
  const asked = stripe.requests.all().length;
  await aDayPasses();
  const again = stripe.requests
    .all()
    .slice(asked)
    .map(({ path }) => path);
  expect([again, mailsAre()]).toEqual([['/v1/checkout/sessions'], [1, 1]]);
});

test('while Stripe is unavailable, every account keeps its plan until Stripe can be read', async () => {
  const { stripe, winnow } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  stripe.deliverTo(null);
  stripe.cancelAtOnce(subscriptionId);
  await markSubscriptionsUnread(winnow.database.db);
  stripe.faults.add({ action: { kind: 'status', status: 400, body: { error: { message: 'no' } } } });
  await aDayPasses();
  expect(await planAndStatusOf(caller)).toBe('pro active');
  const told = winnow.logLines.filter(({ message }) =>
    message?.startsWith('Subscriptions could not be read from Stripe'),
  );
  expect(told).toHaveLength(1);
  stripe.faults.clear();
  await aDayPasses();
  expect(await planAndStatusOf(caller)).toBe('nothing');
});

test('a customer that cannot be read does not stop others from being read', async () => {
  const { stripe, winnow } = selling;
  const [first, second] = [await newPayer(selling), await newPayer(selling)];
  stripe.deliverTo(null);
  for (const { subscriptionId } of [first, second]) stripe.cancelAtOnce(subscriptionId);
  await markSubscriptionsUnread(winnow.database.db);
  await readDaysAgo(first.caller, 1);
  const refused = { kind: 'status', status: 400, body: { error: { message: 'no' } } } as const;
  stripe.faults.add({ match: { path: `/v1/customers/${first.customerId}` }, action: refused });
  await aDayPasses();
  expect([await planAndStatusOf(first.caller), await planAndStatusOf(second.caller)]).toEqual([
    'pro active',
    'nothing',
  ]);
});

test('with the key of another Stripe account, the daily reading removes no customers', async () => {
  const { stripe, winnow } = selling;
  const { caller, customerId } = await newPayer(selling);
  await markSubscriptionsUnread(winnow.database.db);
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such customer' };
  stripe.faults.add({
    match: { path: `/v1/customers/${customerId}` },
    action: { kind: 'status', status: 404, body: { error } },
  });
  await aDayPasses();
  expect(await planAndStatusOf(caller)).toBe('pro active');
});

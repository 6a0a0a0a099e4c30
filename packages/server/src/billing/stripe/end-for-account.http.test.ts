import { WEBHOOK_SECRET } from '@winnow/emulators/stripe/environment';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../platform/log.ts';
import { AccountPlans } from '../plans/account-plans.ts';
import { Checkout } from './checkout.ts';
import { StripeClient } from './client.ts';
import { StripeBilling } from './service.ts';
import { Subscriptions } from './subscriptions.ts';
import {
  newPayer,
  planAndStatusOf,
  requestPaymentPage,
  type SellingWinnow,
  startSelling,
} from './testing/billing.ts';

let selling: SellingWinnow;
let billing: StripeBilling;
beforeAll(async () => {
  selling = await startSelling();
  const { db } = selling.winnow.database;
  const { secretKey, url } = selling.stripe;
  const client = new StripeClient({ secretKey, webhookSecret: WEBHOOK_SECRET, apiUrl: url });
  const plans = new AccountPlans({ db, selfHosted: null });
  const log = openLog({ level: 'silent' });
  const publicUrl = () => selling.winnow.origin;
  const now = () => new Date();
  billing = new StripeBilling({
    client,
    subscriptions: new Subscriptions({ db, client, plans, log, now, onChanged: async () => undefined }),
    checkout: new Checkout({ db, client, plans, publicUrl, emailOf: async () => '' }),
    publicUrl,
    now,
  });
});
afterEach(() => selling.stripe.faults.clear());
afterAll(() => selling.close());

async function accountOf(name: string): Promise<string> {
  const { rows } = await selling.winnow.database.pool.query(
    'select account_id from app_user where username = $1',
    [name],
  );
  return rows[0].account_id;
}

test('all subscriptions of an account end immediately, and a repeated call is harmless', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  const others = await newPayer(selling);
  const accountId = await accountOf(caller.name);
  await billing.endForAccount(accountId);
  await billing.endForAccount(accountId);
  const ended = stripe.subscriptions().find(({ id }) => id === subscriptionId);
  expect(ended?.status).toBe('canceled');
  expect(await planAndStatusOf(caller)).toBe('nothing');
  expect(await planAndStatusOf(others.caller)).toBe('pro active');
});

test('open payment pages cannot be paid afterwards', async () => {
  const caller = await selling.winnow.newCaller();
  const page = await requestPaymentPage(caller, 'pro');
  await billing.endForAccount(await accountOf(caller.name));
  expect(() => selling.stripe.pay(page)).toThrow('not open');
});

test('an unconfirmed first payment ends too', async () => {
  const { stripe } = selling;
  const caller = await selling.winnow.newCaller();
  const page = await requestPaymentPage(caller, 'pro');
  stripe.pay(page, { card: 'asks', leaves: true });
  const begun = stripe.subscriptions().at(-1);
  expect(begun?.status).toBe('incomplete');
  await billing.endForAccount(await accountOf(caller.name));
  expect(begun?.status).toBe('canceled');
  expect(() => stripe.pay(page)).toThrow('not open');
});

test('a customer unknown at Stripe does not prevent deletion', async () => {
  const { caller } = await newPayer(selling);
  const accountId = await accountOf(caller.name);
  await selling.winnow.database.pool.query('update subscription set customer_id = $1 where account_id = $2', [
    'cus_ofAnotherStripe',
    accountId,
  ]);
  await billing.endForAccount(accountId);
  expect(await planAndStatusOf(caller)).toBe('nothing');
});

test('there is nothing to end for an account that never paid, or whose customer was deleted', async () => {
  const { stripe } = selling;
  const caller = await selling.winnow.newCaller();
  await billing.endForAccount(await accountOf(caller.name));
  const payer = await newPayer(selling);
  stripe.deliverTo(null);
  await fetch(`${stripe.url}/v1/customers/${payer.customerId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${stripe.secretKey}` },
  });
  await billing.endForAccount(await accountOf(payer.caller.name));
  stripe.deliverTo({ url: selling.webhookUrl, secret: WEBHOOK_SECRET });
});

test('the call fails if Stripe does not respond', async () => {
  const { stripe } = selling;
  const { caller, subscriptionId } = await newPayer(selling);
  const accountId = await accountOf(caller.name);
  stripe.faults.add({ match: { method: 'DELETE' }, action: { kind: 'status', status: 503 } });
  await expect(billing.endForAccount(accountId)).rejects.toMatchObject({ category: 'upstream_failed' });
  stripe.faults.clear();
  await billing.endForAccount(accountId);
  expect(stripe.subscriptions().find(({ id }) => id === subscriptionId)?.status).toBe('canceled');
});

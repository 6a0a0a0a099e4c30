import { currentUser, tokenPair } from '@winnow/contract/account';
import { createdApiKey } from '@winnow/contract/api-key';
import { WEBHOOK_SECRET } from '@winnow/emulators/stripe/environment';
import { type StripeEvent, signatureOf } from '@winnow/emulators/stripe/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, failureOf, signInCaller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  newPayer,
  planAndStatusOf,
  requestPaymentPage,
  requestPaymentPageAsVisitor,
  type SellingWinnow,
  sessionOfOthers,
  startSelling,
} from './testing/billing.ts';

let selling: SellingWinnow;
beforeAll(async () => {
  selling = await startSelling();
});
afterAll(() => selling.close());

const settled = () => selling.stripe.webhooks.deliveries.settled();
const mailsTo = (address: string) =>
  selling.mails.received.filter(({ to }) => to.some((one) => one.toLowerCase() === address));
const mailTo = (address: string) => eventually(() => mailsTo(address)[0], { what: `a mail to ${address}` });

async function usersWith(email: string): Promise<number> {
  const { rows } = await selling.winnow.database.pool.query('select from app_user where email = $1', [email]);
  return rows.length;
}

test('a visitor who pays is mailed the link to their account, which has the plan', async () => {
  const { stripe, winnow } = selling;
  const email = 'visitor@example.com';
  stripe.webhooks.hold();
  const leadsTo = stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'ultra'), { email });
  expect(leadsTo).toBe(`${winnow.origin}/welcome?checkout=done`);
  expect(await usersWith(email)).toBe(0);
  await stripe.webhooks.release((events) => [...events, ...events.toReversed()]);
  await settled();
  expect(stripe.webhooks.deliveries.all.every(({ status }) => status === 200)).toBe(true);

  const link = /https?:\S+\/welcome\?\S+/.exec((await mailTo(email)).parsed.text ?? '')?.[0] ?? '';
  const body = { ...Object.fromEntries(new URL(link).searchParams), password: 'a long enough secret' };
  const answer = await call(winnow.origin, 'POST', '/api/v1/auth/complete-onboarding', { body });
  tokenPair.parse(answer.body);
  const caller = await signInCaller(winnow.origin, 'visitor', 'a long enough secret');
  expect(await planAndStatusOf(caller)).toBe('ultra active');
  expect([await usersWith(email), mailsTo(email)]).toEqual([1, [expect.anything()]]);
});

/**
 * Delivers an event under a different id. Only the content of the event shows that it is a
 * repetition.
 */
async function deliver(event: StripeEvent, id: string): Promise<number> {
  const raw = JSON.stringify({ ...event, id });
  const headers = { 'stripe-signature': signatureOf(raw, WEBHOOK_SECRET, Math.floor(Date.now() / 1000)) };
  const answer = await call(selling.winnow.origin, 'POST', '/api/v1/billing/webhook', { raw, headers });
  return answer.status;
}

function lastCompleted(count: number): StripeEvent[] {
  const { events } = selling.stripe.webhooks;
  return events.filter(({ type }) => type === 'checkout.session.completed').slice(-count);
}

test('five concurrent events create one account', async () => {
  const { stripe, winnow } = selling;
  const email = 'hasty@example.com';
  stripe.webhooks.hold();
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email });
  const [event] = lastCompleted(1);
  if (event === undefined) throw new Error('There is no event.');
  const told = await Promise.all([1, 2, 3, 4, 5].map((time) => deliver(event, `${event.id}${time}`)));
  expect(told.every((status) => status === 200 || status === 500)).toBe(true);
  await stripe.webhooks.release();
  await mailTo(email);
  expect(await usersWith(email)).toBe(1);
});

test('two payments with one address, reported concurrently, grant one plan; the second payment is reported to the payer', async () => {
  const { stripe, winnow } = selling;
  const email = 'both@example.com';
  stripe.webhooks.hold();
  for (const plan of ['pro', 'ultra'])
    stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, plan), { email });
  const events = lastCompleted(2);
  await Promise.all(events.map((event) => deliver(event, event.id)));
  // Stripe repeats an event that was refused with an error.
  for (const event of events) expect(await deliver(event, event.id)).toBe(200);
  await stripe.webhooks.release();
  await eventually(() => mailsTo(email).length >= 2);
  expect(
    mailsTo(email)
      .map(({ parsed }) => parsed.subject)
      .sort(),
  ).toEqual(['Your Winnow account', 'Your payment needs attention']);
  const { rows } = await winnow.database.pool.query(
    'select status from subscription join app_user using (account_id) where email = $1',
    [email],
  );
  expect(rows).toEqual([{ status: 'active' }]);
});

test('an account without a subscription gets the plan that its owner paid for without signing in', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newConfirmedCaller();
  const email = `${caller.name}@example.com`;
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email: email.toUpperCase() });
  await settled();
  expect(await planAndStatusOf(caller)).toBe('pro active');
  expect(await usersWith(email)).toBe(1);
  const mail = await eventually(() =>
    mailsTo(email).find(({ parsed }) => parsed.subject === 'Your Winnow plan'),
  );
  expect(mail.parsed.text).not.toContain('token');
});

/** Returns the link from an email to this address. */
async function linkTo(address: string, path: string): Promise<URL> {
  const isIt = new RegExp(`https?:\\S+${path}\\?\\S+`);
  const found = await eventually(() =>
    mailsTo(address)
      .map(({ parsed }) => isIt.exec(parsed.text ?? '')?.[0])
      .findLast((link) => link !== undefined),
  );
  return new URL(found);
}

async function chooseNewPassword(email: string, new_password: string): Promise<void> {
  const { origin } = selling.winnow;
  await call(origin, 'POST', '/api/v1/auth/forgot-password', { body: { email } });
  const token = (await linkTo(email, '/reset-password')).searchParams.get('token');
  const body = { token, new_password };
  expect((await call(origin, 'POST', '/api/v1/auth/reset-password', { body })).status).toBe(200);
}

/** Confirms the address with the link from the first email, without signing in. */
async function confirmAddress(email: string): Promise<void> {
  const token = (await linkTo(email, '/verify-email')).searchParams.get('token');
  const { origin } = selling.winnow;
  const answer = await call(origin, 'POST', '/api/v1/auth/verify-email', { body: { token } });
  expect(answer.status).toBe(200);
}

const customersOf = (email: string) =>
  selling.stripe.customers().filter((customer) => customer.email === email);

test('an account created by a stranger gets no later payment, even if the owner of the address confirmed the address', async () => {
  const { stripe, winnow } = selling;
  const attacker = await winnow.newCaller();
  const email = `${attacker.name}@example.com`;
  await confirmAddress(email);
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email });
  await settled();
  expect(await planAndStatusOf(attacker)).toBe('nothing');
  expect(customersOf(email)[0]?.metadata.winnow_waits).toBe('yes');
  await chooseNewPassword(email, 'another long secret');
  await settled();
  const owner = await signInCaller(winnow.origin, attacker.name, 'another long secret');
  await eventually(async () => (await planAndStatusOf(owner)) === 'pro active');
});

test("an account created with a stranger's address gets nothing that the stranger pays for", async () => {
  const { stripe, winnow } = selling;
  const attacker = await winnow.newCaller();
  const email = `${attacker.name}@example.com`;
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email: email.toUpperCase() });
  await settled();
  const [payer] = customersOf(email);
  expect(payer?.metadata.winnow_waits).toBe('yes');
  expect(await planAndStatusOf(attacker)).toBe('nothing');
  const back = { return_url: `${winnow.origin}/console` };
  expect((await attacker.fail('POST', '/billing/create-portal-session', 409, back)).code).toBe(
    'nothing_paid',
  );
  // A purchase by the attacker must not use the payer's customer.
  await requestPaymentPage(attacker, 'ultra');
  expect(stripe.sessions().at(-1)?.customer).not.toBe(payer?.id);
  expect(stripe.subscriptions(payer?.id).map(({ status }) => status)).toEqual(['active']);
  const mail = await eventually(() =>
    mailsTo(email).find(({ parsed }) => parsed.subject === 'Your Winnow plan'),
  );
  expect(mail.parsed.text).toContain(`${winnow.origin}/forgot-password`);
  expect(mail.parsed.text).not.toContain('token');

  // The stranger only confirms the address. This does not prove that the account is theirs.
  const verifying = { token: (await linkTo(email, '/verify-email')).searchParams.get('token') };
  expect((await call(winnow.origin, 'POST', '/api/v1/auth/verify-email', { body: verifying })).status).toBe(
    200,
  );
  expect(await planAndStatusOf(attacker)).toBe('nothing');
});

test('when the owner of the address chooses a password, they have the plan and the creator of the account loses access', async () => {
  const { stripe, winnow } = selling;
  const attacker = await winnow.newCaller();
  const email = `${attacker.name}@example.com`;
  await confirmAddress(email);
  const { key } = await attacker.send('POST', '/auth/api-keys', { name: 'Theirs' }, createdApiKey);
  for (const plan of ['pro', 'ultra']) {
    stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, plan), { email: email.toUpperCase() });
    await settled();
  }
  await chooseNewPassword(email, 'the stranger’s own');
  await attacker.fail('GET', '/billing/subscription', 401);
  expect((await call(winnow.origin, 'GET', '/api/v1/search', { token: key })).status).toBe(401);
  const owner = await signInCaller(winnow.origin, attacker.name, 'the stranger’s own');
  await eventually(async () => (await planAndStatusOf(owner)) === 'pro active');
  // The second payment must be reported in this case too.
  await eventually(() =>
    mailsTo(email).find(({ parsed }) => parsed.subject === 'Your payment needs attention'),
  );
  const named = customersOf(email).map(({ metadata }) => [metadata.winnow_account, metadata.winnow_waits]);
  const { account_id: accountId } = await owner.get('/auth/users/me', currentUser);
  expect(named).toEqual([
    [accountId, undefined],
    [accountId, undefined],
  ]);
});

test('when the creator deletes the account, the owner of the address who paid is mailed a link to a new one', async () => {
  const { stripe, winnow } = selling;
  const attacker = await winnow.newCaller();
  const email = `${attacker.name}@example.com`;
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email });
  await settled();
  const leaving = { username: attacker.name, current_password: attacker.password };
  await attacker.do('DELETE', '/auth/account', leaving);
  const link = await linkTo(email, '/welcome');
  const body = { ...Object.fromEntries(link.searchParams), password: 'a long enough secret' };
  await call(winnow.origin, 'POST', '/api/v1/auth/complete-onboarding', { body });
  const owner = await signInCaller(winnow.origin, attacker.name, 'a long enough secret');
  expect(await planAndStatusOf(owner)).toBe('pro active');
});

test('a payer who lost the link gets another one', async () => {
  const { stripe, winnow } = selling;
  const email = 'lost-link@example.com';
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email });
  await settled();
  const first = await linkTo(email, '/welcome');
  await winnow.database.pool.query('update one_time_token set expires_at = now()');
  await call(winnow.origin, 'POST', '/api/v1/auth/forgot-password', { body: { email } });
  await eventually(() => mailsTo(email).length === 2);
  const link = await linkTo(email, '/welcome');
  expect(link.href).not.toBe(first.href);
  const body = { ...Object.fromEntries(link.searchParams), password: 'a long enough secret' };
  tokenPair.parse((await call(winnow.origin, 'POST', '/api/v1/auth/complete-onboarding', { body })).body);
  expect(await planAndStatusOf(await signInCaller(winnow.origin, 'lost-link', 'a long enough secret'))).toBe(
    'pro active',
  );
});

async function accountOf({ name }: { name: string }): Promise<string> {
  const { rows } = await selling.winnow.database.pool.query(
    'select account_id from app_user where username = $1',
    [name],
  );
  return rows[0].account_id;
}

test('a payment for an account that is being deleted is canceled and reported', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newCaller();
  const page = await requestPaymentPage(caller, 'pro');
  const accountId = await accountOf(caller);
  await winnow.database.pool.query('update account set leaving_at = now() where id = $1', [accountId]);
  stripe.pay(page);
  await settled();
  const paid = stripe.subscriptions().at(-1);
  expect(paid?.status).toBe('canceled');
  const told = winnow.logLines.findLast(({ message }) =>
    message?.startsWith('Someone paid for an account that is being deleted'),
  );
  expect(told).toMatchObject({ level: 'warn', accountId, customer: paid?.customer });
});

test('a visitor’s payment for an account that is being deleted waits until the deletion ends', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newCaller();
  const email = `${caller.name}@example.com`;
  const accountId = await accountOf(caller);
  await winnow.database.pool.query('update account set leaving_at = now() where id = $1', [accountId]);
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email });
  await settled();
  const [event] = lastCompleted(1);
  if (event === undefined) throw new Error('There is no event.');
  expect(await deliver(event, event.id)).toBe(500);
  await winnow.database.pool.query('delete from account where id = $1', [accountId]);
  expect(await deliver(event, event.id)).toBe(200);
  expect((await linkTo(email, '/welcome')).searchParams.get('email')).toBe(email);
});

test('a payment on a page of a deleted account creates a new account for the payer', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newCaller();
  const page = await requestPaymentPage(caller, 'pro');
  await winnow.database.pool.query('delete from account where id = $1', [await accountOf(caller)]);
  stripe.pay(page);
  await settled();
  expect((await linkTo(`${caller.name}@example.com`, '/welcome')).pathname).toBe('/welcome');
});

test('no one is invited for a subscription that ended before its event arrived', async () => {
  const { stripe, winnow } = selling;
  const email = 'refunded@example.com';
  stripe.webhooks.hold();
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email });
  stripe.cancelAtOnce(stripe.subscriptions().at(-1)?.id ?? '');
  await stripe.webhooks.release();
  await settled();
  expect(await usersWith(email)).toBe(0);
});

test('a payment on a page for another address of this Winnow is reported', async () => {
  const { stripe, winnow } = selling;
  const site = 'https://former.example.org';
  const { id, url } = await sessionOfOthers(stripe, { 'metadata[winnow_site]': site });
  stripe.pay(url, { email: 'moved@example.com' });
  await settled();
  expect(await usersWith('moved@example.com')).toBe(0);
  const told = winnow.logLines.findLast(({ message }) => message?.startsWith('Someone paid on a page of'));
  expect(told).toMatchObject({ level: 'warn', sessionId: id, site });
});

test('an account that already pays keeps its subscription; payer and operator are notified', async () => {
  const { stripe, winnow } = selling;
  const { caller, customerId } = await newPayer(selling);
  const email = `${caller.name}@example.com`;
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'ultra'), { email });
  await settled();
  expect(await planAndStatusOf(caller)).toBe('pro active');
  const { rows } = await winnow.database.pool.query('select from subscription where customer_id = $1', [
    customerId,
  ]);
  expect(rows).toHaveLength(1);
  const mail = await eventually(() =>
    mailsTo(email).find(({ parsed }) => parsed.subject === 'Your payment needs attention'),
  );
  expect(mail.parsed.text).toContain('already has a subscription');
  expect(mail.parsed.text).toContain('choose “Forgot password?”');
  const told = winnow.logLines.findLast(({ message }) =>
    message?.startsWith('Someone paid for an account that already pays'),
  );
  expect(told).toMatchObject({ level: 'warn', sessionId: stripe.sessions().at(-1)?.id });
});

test('a payer who pays twice before choosing a password is notified of the second payment', async () => {
  const { stripe, winnow } = selling;
  const email = 'twice@example.com';
  for (const plan of ['pro', 'ultra']) {
    stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, plan), { email });
    await settled();
  }
  const subjects = await eventually(() => {
    const received = mailsTo(email).map(({ parsed }) => parsed.subject);
    return received.length >= 2 && received;
  });
  expect(subjects.sort()).toEqual(['Your Winnow account', 'Your payment needs attention']);
  expect(await usersWith(email)).toBe(1);
});

test('a payer who pays twice as one customer is notified', async () => {
  const { stripe, winnow } = selling;
  const { caller, customerId } = await newPayer(selling);
  const { url } = await sessionOfOthers(stripe, {
    customer: customerId,
    'metadata[winnow_site]': winnow.origin,
  });
  stripe.pay(url);
  await settled();
  expect(await planAndStatusOf(caller)).toBe('pro active');
  await eventually(() =>
    mailsTo(`${caller.name}@example.com`).find(
      ({ parsed }) => parsed.subject === 'Your payment needs attention',
    ),
  );
});

test('a payment without a valid address is reported to the operator', async () => {
  const { stripe, winnow } = selling;
  stripe.pay(await requestPaymentPageAsVisitor(winnow.origin, 'pro'), { email: 'no address@' });
  await settled();
  expect(stripe.webhooks.deliveries.all.at(-1)?.status).toBe(200);
  const told = winnow.logLines.find(({ message }) =>
    message?.startsWith('Someone paid without a valid address'),
  );
  expect(told).toMatchObject({ level: 'warn' });
});

test('a caller with an invalid token is refused and not treated as a visitor', async () => {
  const body = { plan_id: 'pro', interval: 'month' };
  const path = '/api/v1/billing/create-checkout-session';
  for (const authorization of ['Bearer nonsense', 'Basic YTpi', '']) {
    failureOf(await call(selling.winnow.origin, 'POST', path, { body, headers: { authorization } }), 401);
  }
});

test('visitors are limited by IP address', async () => {
  const body = { plan_id: 'platinum', interval: 'month' };
  const path = '/api/v1/billing/create-checkout-session';
  const statuses: number[] = [];
  for (let times = 0; times < 31; times += 1) {
    statuses.push((await call(selling.winnow.origin, 'POST', path, { body })).status);
  }
  expect(statuses.at(-1)).toBe(429);
});

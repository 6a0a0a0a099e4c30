import { tokenPair } from '@winnow/contract/account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StripeEvent, signatureOf } from '../../../../../tools/emulators/stripe/webhooks.ts';
import { call, failureOf, signInCaller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import {
  newPayer,
  pageForVisitor,
  paidBy,
  type SellingWinnow,
  sessionOfOthers,
  startSelling,
  WEBHOOK_SECRET,
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

test('a visitor pays, is mailed the link to their account, and finds their plan in it', async () => {
  const { stripe, winnow } = selling;
  const email = 'visitor@example.com';
  stripe.webhooks.hold();
  const leadsTo = stripe.pay(await pageForVisitor(winnow.origin, 'ultra'), { email });
  expect(leadsTo).toBe(`${winnow.origin}/welcome?checkout=done`);
  expect(await usersWith(email)).toBe(0);
  await stripe.webhooks.release((events) => [...events, ...events.toReversed()]);
  expect(stripe.webhooks.deliveries.all.every(({ status }) => status === 200)).toBe(true);

  const link = /https?:\S+\/welcome\?\S+/.exec((await mailTo(email)).parsed.text ?? '')?.[0] ?? '';
  const body = { ...Object.fromEntries(new URL(link).searchParams), password: 'a long enough secret' };
  const answer = await call(winnow.origin, 'POST', '/api/v1/auth/complete-onboarding', { body });
  tokenPair.parse(answer.body);
  const caller = await signInCaller(winnow.origin, 'visitor', 'a long enough secret');
  expect(await paidBy(caller)).toBe('ultra active');
  expect([await usersWith(email), mailsTo(email)]).toEqual([1, [expect.anything()]]);
});

/** Delivers an event under an id of its own, so that nothing but its content tells that it is the same. */
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

test('told of it five times at once, one account is made', async () => {
  const { stripe, winnow } = selling;
  const email = 'hasty@example.com';
  stripe.webhooks.hold();
  stripe.pay(await pageForVisitor(winnow.origin, 'pro'), { email });
  const [event] = lastCompleted(1);
  if (event === undefined) throw new Error('There is no event.');
  const told = await Promise.all([1, 2, 3, 4, 5].map((time) => deliver(event, `${event.id}${time}`)));
  expect(told.every((status) => status === 200 || status === 500)).toBe(true);
  await stripe.webhooks.release();
  await mailTo(email);
  expect(await usersWith(email)).toBe(1);
});

test('two payments with one address, told of at once, give one plan; the other is told to who paid', async () => {
  const { stripe, winnow } = selling;
  const email = 'both@example.com';
  stripe.webhooks.hold();
  for (const plan of ['pro', 'ultra']) stripe.pay(await pageForVisitor(winnow.origin, plan), { email });
  const events = lastCompleted(2);
  await Promise.all(events.map((event) => deliver(event, event.id)));
  // Who was refused is sent again, as Stripe does.
  for (const event of events) expect(await deliver(event, event.id)).toBe(200);
  await stripe.webhooks.release();
  await eventually(() => mailsTo(email).length >= 2);
  expect(
    mailsTo(email)
      .map(({ parsed }) => parsed.subject)
      .sort(),
  ).toEqual(['Your Winnow account', 'Your payment needs a look']);
  const { rows } = await winnow.database.pool.query(
    'select status from subscription join app_user using (account_id) where email = $1',
    [email],
  );
  expect(rows).toEqual([{ status: 'active' }]);
});

test('an account that pays for nothing gets what its owner paid for without signing in', async () => {
  const { stripe, winnow } = selling;
  const caller = await winnow.newCaller();
  const email = `${caller.name}@example.com`;
  stripe.pay(await pageForVisitor(winnow.origin, 'pro'), { email: email.toUpperCase() });
  await settled();
  expect(await paidBy(caller)).toBe('pro active');
  expect(await usersWith(email)).toBe(1);
  const mail = await eventually(() =>
    mailsTo(email).find(({ parsed }) => parsed.subject === 'Your Winnow plan'),
  );
  expect(mail.parsed.text).not.toContain('token');
});

test('an account that pays already keeps what it has; whoever paid and the operator are told', async () => {
  const { stripe, winnow } = selling;
  const { caller, customerId } = await newPayer(selling);
  const email = `${caller.name}@example.com`;
  stripe.pay(await pageForVisitor(winnow.origin, 'ultra'), { email });
  await settled();
  expect(await paidBy(caller)).toBe('pro active');
  const { rows } = await winnow.database.pool.query('select from subscription where customer_id = $1', [
    customerId,
  ]);
  expect(rows).toHaveLength(1);
  const mail = await eventually(() =>
    mailsTo(email).find(({ parsed }) => parsed.subject === 'Your payment needs a look'),
  );
  expect(mail.parsed.text).toContain('has a subscription already');
  const told = winnow.logLines.findLast(({ message }) =>
    message?.startsWith('Somebody paid for an account that pays already'),
  );
  expect(told).toMatchObject({ level: 'warn', sessionId: stripe.sessions().at(-1)?.id });
});

test('who pays twice before choosing a password is told of the second', async () => {
  const { stripe, winnow } = selling;
  const email = 'twice@example.com';
  for (const plan of ['pro', 'ultra']) {
    stripe.pay(await pageForVisitor(winnow.origin, plan), { email });
    await settled();
  }
  const subjects = await eventually(() => {
    const received = mailsTo(email).map(({ parsed }) => parsed.subject);
    return received.length >= 2 && received;
  });
  expect(subjects.sort()).toEqual(['Your Winnow account', 'Your payment needs a look']);
  expect(await usersWith(email)).toBe(1);
});

test('who pays twice as one customer is told of it', async () => {
  const { stripe, winnow } = selling;
  const { caller, customerId } = await newPayer(selling);
  const { url } = await sessionOfOthers(stripe, {
    customer: customerId,
    'metadata[winnow_site]': winnow.origin,
  });
  stripe.pay(url);
  await settled();
  expect(await paidBy(caller)).toBe('pro active');
  await eventually(() =>
    mailsTo(`${caller.name}@example.com`).find(
      ({ parsed }) => parsed.subject === 'Your payment needs a look',
    ),
  );
});

test('a payment without an address that can be mailed is told to the operator', async () => {
  const { stripe, winnow } = selling;
  stripe.pay(await pageForVisitor(winnow.origin, 'pro'), { email: 'no address@' });
  await settled();
  expect(stripe.webhooks.deliveries.all.at(-1)?.status).toBe(200);
  const told = winnow.logLines.find(({ message }) => message?.startsWith('Somebody paid without an address'));
  expect(told).toMatchObject({ level: 'warn' });
});

test('a token that does not hold is refused, and does not make its owner a visitor', async () => {
  const body = { plan_id: 'pro', interval: 'month' };
  const path = '/api/v1/billing/create-checkout-session';
  for (const authorization of ['Bearer nonsense', 'Basic YTpi', '']) {
    failureOf(await call(selling.winnow.origin, 'POST', path, { body, headers: { authorization } }), 401);
  }
});

test('visitors are limited by their address', async () => {
  const body = { plan_id: 'platinum', interval: 'month' };
  const path = '/api/v1/billing/create-checkout-session';
  const statuses: number[] = [];
  for (let times = 0; times < 31; times += 1) {
    statuses.push((await call(selling.winnow.origin, 'POST', path, { body })).status);
  }
  expect(statuses.at(-1)).toBe(429);
});

import { PLAN_FEATURES, plan, planList } from '@winnow/contract/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { call, failureOf } from '../testing/caller.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

let winnow: RunningWinnow;
beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

test('everyone can read the plans, with the prices and limits of the specification', async () => {
  const answer = await call(winnow.origin, 'GET', '/api/v1/billing/plans');
  const plans = z.array(plan.strict()).parse(answer.body);
  expect(answer.headers.get('x-total-count')).toBe('4');
  const rows = plans.map(({ id, name, price_monthly, price_annually, features }) => [
    id,
    name,
    price_monthly,
    price_annually,
    ...Object.values(features),
  ]);
  expect(rows).toEqual([
    ['free', 'Free', 0, 0, 1_000, 10, 100, false, false],
    ['pro', 'Pro', 20, 200, 10_000, 100, 1_000, false, false],
    ['ultra', 'Ultra', 200, 2_000, -1, 1_000, 10_000, true, false],
    ['enterprise', 'Enterprise', null, null, -1, -1, -1, true, true],
  ]);
  for (const { features } of plans) expect(Object.keys(features)).toEqual(Object.keys(PLAN_FEATURES));
});

test('a new account has no custom plans', async () => {
  const caller = await winnow.newCaller();
  expect(await caller.get('/billing/custom-plans', planList)).toEqual([]);
});

test('nothing is sold without a payment provider, to visitors and users', async () => {
  const caller = await winnow.newCaller();
  for (const token of [null, caller.tokens.access_token]) {
    const answer = await call(winnow.origin, 'POST', '/api/v1/billing/create-checkout-session', {
      token,
      body: { plan_id: 'pro', interval: 'year' },
    });
    const failure = failureOf(answer, 409);
    expect([failure.code, failure.detail]).toEqual([
      'billing_off',
      expect.stringMatching(/^Plans cannot be/),
    ]);
  }
});

test('without a payment provider, invalid tokens are still refused and calls are still limited', async () => {
  const checkout = (token: string | null) =>
    call(winnow.origin, 'POST', '/api/v1/billing/create-checkout-session', {
      token,
      body: { plan_id: 'pro', interval: 'month' },
    });
  failureOf(await checkout('an invalid token'), 401);
  const { tokens } = await winnow.newCaller();
  const answers = await Promise.all(Array.from({ length: 31 }, () => checkout(tokens.access_token)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});

test.each([
  ['no plan', { plan_id: '' }, 'plan_id'],
  ['an unknown interval', { interval: 'week' }, 'interval'],
])('a checkout with %s is refused at its field', async (_, change, path) => {
  const body = { plan_id: 'pro', interval: 'month', ...change };
  const answer = await call(winnow.origin, 'POST', '/api/v1/billing/create-checkout-session', { body });
  expect(failureOf(answer, 422).fields?.map((field) => field.path)).toEqual([path]);
});

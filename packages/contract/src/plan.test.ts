import { expect, test } from 'vitest';
import { beginsAtOnce, PENDING_CANCELLATION, SELF_HOSTED, subscriptionStatus } from './plan.ts';

test.each([
  ['active', { goesOn: true, givesPlan: true, isPaid: true }],
  ['trialing', { goesOn: true, givesPlan: true, isPaid: true }],
  [PENDING_CANCELLATION, { goesOn: true, givesPlan: true, isPaid: true }],
  [SELF_HOSTED, { goesOn: true, givesPlan: true, isPaid: true }],
  ['past_due', { goesOn: true, givesPlan: true, isPaid: false }],
  ['unpaid', { goesOn: true, givesPlan: false, isPaid: false }],
  ['paused', { goesOn: true, givesPlan: false, isPaid: false }],
  ['incomplete', { goesOn: false, givesPlan: false, isPaid: false }],
  ['incomplete_expired', { goesOn: false, givesPlan: false, isPaid: false }],
  ['canceled', { goesOn: false, givesPlan: false, isPaid: false }],
  ['a word that Stripe has added', { goesOn: true, givesPlan: false, isPaid: false }],
  ['constructor', { goesOn: true, givesPlan: false, isPaid: false }],
])('a subscription that is %s means %o', (status, meaning) => {
  const found = subscriptionStatus(status);
  expect(found).toMatchObject(meaning);
  // A status with an unpaid subscription must explain the problem to the user.
  expect(found.trouble !== undefined).toBe(found.goesOn && !found.isPaid);
});

const pro = { month: 20, year: 200 };
const ultra = { month: 200, year: 2_000 };
test.each([
  ['pro', 'month', 'ultra', 'month', true],
  ['pro', 'month', 'pro', 'year', true],
  ['pro', 'year', 'ultra', 'month', true],
  ['ultra', 'month', 'pro', 'month', false],
  ['ultra', 'month', 'pro', 'year', false],
  ['ultra', 'year', 'ultra', 'month', false],
  ['ultra', 'year', 'pro', 'month', false],
] as const)('from %s by the %s to %s by the %s: at once %s', (from, paidBy, to, by, atOnce) => {
  const paid = (plan_id: 'pro' | 'ultra', interval: 'month' | 'year') => ({
    plan_id,
    interval,
    dollars: { pro, ultra }[plan_id][interval],
  });
  expect(beginsAtOnce(paid(from, paidBy), paid(to, by))).toBe(atOnce);
});

import { expect, test } from 'vitest';
import { PENDING_CANCELLATION, SELF_HOSTED, startsImmediately, subscriptionStatus } from './plan.ts';

test.each([
  ['active', { isOngoing: true, grantsPlan: true, isPaid: true }],
  ['trialing', { isOngoing: true, grantsPlan: true, isPaid: true }],
  [PENDING_CANCELLATION, { isOngoing: true, grantsPlan: true, isPaid: true }],
  [SELF_HOSTED, { isOngoing: true, grantsPlan: true, isPaid: true }],
  ['past_due', { isOngoing: true, grantsPlan: true, isPaid: false }],
  ['unpaid', { isOngoing: true, grantsPlan: false, isPaid: false }],
  ['paused', { isOngoing: true, grantsPlan: false, isPaid: false }],
  ['incomplete', { isOngoing: false, grantsPlan: false, isPaid: false }],
  ['incomplete_expired', { isOngoing: false, grantsPlan: false, isPaid: false }],
  ['canceled', { isOngoing: false, grantsPlan: false, isPaid: false }],
  ['a word that Stripe has added', { isOngoing: true, grantsPlan: false, isPaid: false }],
  ['constructor', { isOngoing: true, grantsPlan: false, isPaid: false }],
])('a subscription that is %s means %o', (status, meaning) => {
  const found = subscriptionStatus(status);
  expect(found).toMatchObject(meaning);
  // If payment is due, the status must explain the problem to the user.
  expect(found.trouble !== undefined).toBe(found.isOngoing && !found.isPaid);
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
] as const)(
  'a change from %s per %s to %s per %s takes effect immediately: %s',
  (from, paidBy, to, by, atOnce) => {
    const paid = (plan_id: 'pro' | 'ultra', interval: 'month' | 'year') => ({
      plan_id,
      interval,
      dollars: { pro, ultra }[plan_id][interval],
    });
    expect(startsImmediately(paid(from, paidBy), paid(to, by))).toBe(atOnce);
  },
);

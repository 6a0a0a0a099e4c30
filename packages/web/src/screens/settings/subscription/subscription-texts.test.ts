import { type Plan, type Subscription, subscriptionStatus } from '@winnow/contract/plan';
import { expect, test } from 'vitest';
import { dateLine, statusChip, usageLines, waitingText } from './subscription-texts.ts';

const plans = ['pro', 'ultra'].map((id) => ({ id, name: id === 'pro' ? 'Pro' : 'Ultra' }) as Plan);

function paid(changes: Partial<Subscription>): Subscription {
  return {
    id: 'sub_1',
    plan_id: 'ultra',
    status: 'active',
    interval: 'month',
    current_period_start: '2030-01-15T12:00:00.000Z',
    current_period_end: '2030-02-15T12:00:00.000Z',
    cancel_at_period_end: false,
    pending_change: null,
    waiting_change: null,
    ...changes,
  };
}

test('states the date on which a plan renews, ends or changes', () => {
  const at = '2030-02-15T12:00:00.000Z';
  expect(dateLine(null, plans)).toBe('You are currently on the Free plan.');
  expect(dateLine(paid({}), plans)).toMatch(/^Renews on .*2030/);
  const ends = { cancel_at_period_end: true };
  expect(dateLine(paid({ ...ends, status: 'pending_cancellation' }), plans)).toMatch(/^Cancels on .*2030/);
  const toPro = { plan_id: 'pro', interval: 'month', at } as const;
  expect(dateLine(paid({ pending_change: toPro }), plans)).toMatch(/^Changes to Pro on .*2030/);
});

test('states when a change that awaits payment begins, and when it lapses', () => {
  const change = { plan_id: 'ultra', interval: 'year', until: '2030-02-15T12:00:00.000Z' } as const;
  expect(waitingText({ plan_id: 'pro' }, change, plans)).toMatch(
    /^The change to Ultra, paid yearly, begins when you pay its invoice\. Until then you stay on Pro\. Without a payment it lapses on .*2030/,
  );
});

test.each(['past_due', 'unpaid'])(
  'does not announce a renewal for a %s subscription that ends with its period',
  (status) => {
    expect(dateLine(paid({ status, cancel_at_period_end: true }), plans)).toMatch(/^Cancels on /);
  },
);

test('states that the administrator chose a plan without payment', () => {
  expect(dateLine(paid({ status: 'self_hosted', interval: null, current_period_end: null }), plans)).toBe(
    'Your administrator chose this plan. There is no charge.',
  );
});

test('labels an unknown status as Stripe does', () => {
  expect(statusChip('past_due')).toEqual({ label: 'past_due', tone: 'danger' });
  expect(statusChip('pending_cancellation')).toEqual({ label: 'Pending cancellation', tone: 'warning' });
  expect(statusChip('self_hosted')).toEqual({ label: 'Self-hosted', tone: 'neutral' });
});

test.each([
  [
    'past_due',
    'The last payment failed. Stripe will try again. Enter another card in Stripe, or the plan ends.',
  ],
  [
    'unpaid',
    'The plan is not paid, so the limits of the Free plan apply. Pay or enter another card in Stripe.',
  ],
  [
    'paused',
    'The trial has ended without a card, so the limits of the Free plan apply. Enter a card in Stripe to continue.',
  ],
  ['a new word', 'The limits of the Free plan apply. Stripe shows what is missing.'],
])('explains the status %s and what to do', (status, sentence) => {
  expect(subscriptionStatus(status).trouble).toBe(sentence);
});

test('states usage and limit of each feature', () => {
  const limits = {
    plan_id: 'free',
    plan_name: 'Free',
    is_enforced: true,
    period: { from: '2030-01-01', to: '2030-01-31' },
    api_calls_monthly: { used: 12, limit: 1_000 },
    ai_calls_monthly: { used: 0, limit: 10 },
    issues_ingested_monthly: { used: 2_000, limit: null },
  };
  expect(usageLines(limits)).toEqual([
    '12 of 1,000 API calls',
    '0 of 10 AI calls',
    '2,000 issues ingested, no limit',
  ]);
});

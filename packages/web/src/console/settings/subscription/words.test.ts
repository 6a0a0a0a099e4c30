import type { Plan, Subscription } from '@winnow/contract/plan';
import { expect, test } from 'vitest';
import { dateLine } from './words.ts';

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
    ...changes,
  };
}

test('the line says whether it is renewed, ends or changes, and when', () => {
  const at = '2030-02-15T12:00:00.000Z';
  expect(dateLine(null, plans)).toBe('You are currently on the Free plan.');
  expect(dateLine(paid({}), plans)).toMatch(/^Renews on .*2030/);
  const ends = { cancel_at_period_end: true };
  expect(dateLine(paid({ ...ends, status: 'pending_cancellation' }), plans)).toMatch(/^Cancels on .*2030/);
  const toPro = { plan_id: 'pro', interval: 'month', at } as const;
  expect(dateLine(paid({ pending_change: toPro }), plans)).toMatch(/^Changes to Pro on .*2030/);
});

test.each(['past_due', 'unpaid'])('what is %s and ends with its period is not renewed', (status) => {
  expect(dateLine(paid({ status, cancel_at_period_end: true }), plans)).toMatch(/^Cancels on /);
});

import type { Plan, Subscription } from '@winnow/contract/plan';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/session/api-error.ts';
import {
  changedText,
  changeQuestion,
  checkoutFailure,
  comingText,
  NoAddress,
  planRelation,
  portalFailure,
} from './plan-texts.ts';

const features = {
  api_calls_monthly: 10_000,
  ai_calls_monthly: 100,
  issues_ingested_monthly: 1_000,
  custom_ai_models_enabled: false,
  custom_compliance_metrics_enabled: false,
};
const free: Plan = { id: 'free', name: 'Free', price_monthly: 0, price_annually: 0, features };
const pro: Plan = { id: 'pro', name: 'Pro', price_monthly: 20, price_annually: 200, features };
const ultra: Plan = {
  id: 'ultra',
  name: 'Ultra',
  price_monthly: 200,
  price_annually: 2_000,
  features: {
    ...features,
    api_calls_monthly: -1,
    issues_ingested_monthly: 10_000,
    custom_ai_models_enabled: true,
  },
};
const plans = [free, pro, ultra];

const onPro: Subscription = {
  id: 'sub_1',
  plan_id: 'pro',
  status: 'active',
  interval: 'month',
  current_period_start: '2026-11-10T12:00:00.000Z',
  current_period_end: '2026-12-10T12:00:00.000Z',
  cancel_at_period_end: false,
  pending_change: null,
  waiting_change: null,
};
const onUltra: Subscription = { ...onPro, plan_id: 'ultra' };
const cancelled: Subscription = { ...onPro, status: 'pending_cancellation', cancel_at_period_end: true };
const toPro: Subscription = {
  ...onUltra,
  pending_change: { plan_id: 'pro', interval: 'month', at: '2026-12-10T12:00:00.000Z' },
};
const selfHosted: Subscription = { ...onPro, status: 'self_hosted', interval: null };
const limits = {
  plan_id: 'ultra',
  plan_name: 'Ultra',
  is_enforced: true,
  period: { from: '2026-11-01', to: '2026-11-30' },
  api_calls_monthly: { used: 12_345, limit: null },
  ai_calls_monthly: { used: 500, limit: 100 },
  issues_ingested_monthly: { used: 7, limit: 10_000 },
};

test('shows the error text of the server, or a built-in one for an unsafe address', () => {
  const error = new ApiError({ status: 502, code: 'upstream_failed', detail: 'Stripe does not answer.' });
  expect(portalFailure(error)).toBe('Stripe does not answer.');
  expect(checkoutFailure(error)).toBe('Stripe does not answer.');
  expect(portalFailure(new Error())).toBe(
    'Failed to create portal session. Please check configuration and try again.',
  );
  expect(portalFailure(new NoAddress())).toBe('Could not retrieve the subscription management URL.');
  expect(checkoutFailure(new Error())).toBe('Failed to process subscription change.');
});

test.each([
  ['the current plan at the current interval', pro, 'month', onPro, { is: 'current' }],
  ['the current plan at the other interval', pro, 'year', onPro, { is: 'other interval' }],
  ['another plan', ultra, 'month', onPro, { is: 'open' }],
  ['the scheduled plan', pro, 'month', toPro, { is: 'coming', text: 'Starts on Dec 10, 2026' }],
  ['the scheduled plan at another interval', pro, 'year', toPro, { is: 'open' }],
  ['Free after a cancellation', free, 'month', cancelled, { is: 'coming', text: 'Starts on Dec 10, 2026' }],
  ['Free without a subscription', free, 'year', null, { is: 'current' }],
  ['another plan without a subscription', pro, 'year', null, { is: 'open' }],
  ['the operator’s choice, at either interval', pro, 'year', selfHosted, { is: 'current' }],
  ['any plan while loading', pro, 'month', undefined, { is: 'open' }],
] as const)('reports the relation of the account to %s', (_name, plan, interval, current, standing) => {
  expect(planRelation(plan, interval, current)).toEqual(standing);
});

test('describes a scheduled change with its date', () => {
  expect(comingText(onPro, plans)).toBeNull();
  expect(comingText(null, plans)).toBeNull();
  expect(comingText(cancelled, plans)).toBe('Cancels on Dec 10, 2026');
  expect(comingText(toPro, plans)).toBe('Changes to Pro on Dec 10, 2026');
  const monthly = { plan_id: 'ultra', interval: 'month', at: '2026-12-10T12:00:00.000Z' } as const;
  expect(comingText({ ...onUltra, interval: 'year', pending_change: monthly }, plans)).toBe(
    'Changes to monthly on Dec 10, 2026',
  );
});

describe('the confirmation of a plan change', () => {
  test('states that an upgrade to a more expensive plan starts immediately', () => {
    expect(changeQuestion({ current: onPro, from: pro, to: ultra, interval: 'month', used: limits })).toEqual(
      {
        title: 'Change to Ultra',
        sentences: [
          'The Ultra plan costs $200/mo. It starts immediately; the rest of the current period is credited.',
        ],
        losses: [],
        confirmLabel: 'Change plan',
      },
    );
  });

  test('states when a downgrade starts, that nothing is charged, and what is lost', () => {
    expect(
      changeQuestion({ current: onUltra, from: ultra, to: pro, interval: 'month', used: limits }),
    ).toEqual({
      title: 'Change to Pro',
      sentences: [
        'The Pro plan costs $20/mo. It starts on Dec 10, 2026, when the paid period ends. Nothing is charged or credited now.',
      ],
      losses: [
        'API calls / month: from unlimited to 10,000; 12,345 used so far this month',
        'Issues ingested / month: from 10,000 to 1,000',
        'Custom AI models: not included',
      ],
      confirmLabel: 'Downgrade',
    });
  });

  test('mentions only the interval if the plan stays the same', () => {
    const asked = { from: pro, to: pro, used: limits } as const;
    expect(changeQuestion({ ...asked, current: onPro, interval: 'year' })).toMatchObject({
      title: 'Switch to yearly',
      sentences: [
        'The Pro plan costs $200/yr. Yearly billing starts immediately; the rest of the current period is credited.',
      ],
      confirmLabel: 'Change plan',
    });
    expect(
      changeQuestion({ ...asked, current: { ...onPro, interval: 'year' }, interval: 'month' }),
    ).toMatchObject({
      title: 'Switch to monthly',
      sentences: [
        'The Pro plan costs $20/mo. Monthly billing starts on Dec 10, 2026, when the paid period ends. Nothing is charged or credited now.',
      ],
      confirmLabel: 'Change plan',
    });
  });

  test('states which scheduled change is replaced, and that overdue payments are collected first', () => {
    const asked = { from: pro, to: ultra, interval: 'month', used: undefined } as const;
    expect(changeQuestion({ ...asked, current: cancelled }).sentences[1]).toBe(
      'The cancellation of the Pro plan is withdrawn.',
    );
    const proYear = { current: toPro, from: ultra, to: pro, interval: 'year', used: undefined } as const;
    expect(changeQuestion(proYear).sentences[1]).toBe('This replaces your scheduled change.');
    expect(changeQuestion({ ...asked, current: { ...onPro, status: 'past_due' } }).sentences).toEqual([
      'The Ultra plan costs $200/mo.',
      'Stripe first collects the overdue payment. Choose the plan again after paying.',
    ]);
  });
});

test('describes the result of a change', () => {
  const byMonth = { plan_id: 'pro', interval: 'month' } as const;
  expect(changedText(pro, byMonth, onPro)).toBe('You are now on the Pro plan.');
  expect(changedText(pro, byMonth, toPro)).toBe('The Pro plan starts on Dec 10, 2026.');
  const change = { plan_id: 'ultra', interval: 'month', at: '2026-12-10T12:00:00.000Z' } as const;
  expect(
    changedText(ultra, { plan_id: 'ultra', interval: 'month' }, { ...onUltra, pending_change: change }),
  ).toBe('The Ultra plan is billed monthly from Dec 10, 2026.');
});

import type { Plan, Subscription } from '@winnow/contract/plan';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/session/api-error.ts';
import {
  changedText,
  changeQuestion,
  checkoutFailure,
  comingText,
  NoAddress,
  portalFailure,
  standingOf,
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

test('a server’s sentence comes before ours, and an address that is none has its own', () => {
  const told = new ApiError({ status: 502, code: 'upstream_failed', detail: 'Stripe does not answer.' });
  expect(portalFailure(told)).toBe('Stripe does not answer.');
  expect(checkoutFailure(told)).toBe('Stripe does not answer.');
  expect(portalFailure(new Error())).toBe(
    'Failed to create portal session. Please check configuration and try again.',
  );
  expect(portalFailure(new NoAddress())).toBe('Could not retrieve the subscription management URL.');
  expect(checkoutFailure(new Error())).toBe('Failed to process subscription change.');
});

test.each([
  ['one’s own at the interval that is paid', pro, 'month', onPro, { is: 'current' }],
  ['one’s own at the other', pro, 'year', onPro, { is: 'other interval' }],
  ['another', ultra, 'month', onPro, { is: 'open' }],
  ['what is to come', pro, 'month', toPro, { is: 'coming', text: 'Begins on Dec 10, 2026' }],
  ['the same at another interval than is to come', pro, 'year', toPro, { is: 'open' }],
  ['Free after a cancellation', free, 'month', cancelled, { is: 'coming', text: 'Begins on Dec 10, 2026' }],
  ['Free for who pays nothing', free, 'year', null, { is: 'current' }],
  ['another for who pays nothing', pro, 'year', null, { is: 'open' }],
  ['what the operator chose, by either interval', pro, 'year', selfHosted, { is: 'current' }],
  ['any while nothing is known', pro, 'month', undefined, { is: 'open' }],
] as const)('where an account stands: %s', (_name, plan, interval, current, standing) => {
  expect(standingOf(plan, interval, current)).toEqual(standing);
});

test('what is to come is told with its day', () => {
  expect(comingText(onPro, plans)).toBeNull();
  expect(comingText(null, plans)).toBeNull();
  expect(comingText(cancelled, plans)).toBe('Cancels on Dec 10, 2026');
  expect(comingText(toPro, plans)).toBe('Changes to Pro on Dec 10, 2026');
  const monthly = { plan_id: 'ultra', interval: 'month', at: '2026-12-10T12:00:00.000Z' } as const;
  expect(comingText({ ...onUltra, interval: 'year', pending_change: monthly }, plans)).toBe(
    'Changes to monthly on Dec 10, 2026',
  );
});

describe('the question about a change', () => {
  test('to more says that it begins at once', () => {
    expect(changeQuestion({ current: onPro, from: pro, to: ultra, interval: 'month', used: limits })).toEqual(
      {
        title: 'Change to Ultra',
        sentences: [
          'The Ultra plan costs $200/mo. It begins at once; what is left of the present period is taken off.',
        ],
        losses: [],
        confirmLabel: 'Change plan',
      },
    );
  });

  test('to less says when it begins, that nothing is charged, and what there is less of', () => {
    expect(
      changeQuestion({ current: onUltra, from: ultra, to: pro, interval: 'month', used: limits }),
    ).toEqual({
      title: 'Change to Pro',
      sentences: [
        'The Pro plan costs $20/mo. It begins on Dec 10, 2026, when what is paid has ended. Nothing is charged or credited now.',
      ],
      losses: [
        'API calls / month: from unlimited to 10,000; 12,345 are used this month already',
        'Issues ingested / month: from 10,000 to 1,000',
        'Custom AI models: not included',
      ],
      confirmLabel: 'Downgrade',
    });
  });

  test('of the interval is about that alone', () => {
    const asked = { from: pro, to: pro, used: limits } as const;
    expect(changeQuestion({ ...asked, current: onPro, interval: 'year' })).toMatchObject({
      title: 'Switch to yearly',
      sentences: [
        'The Pro plan costs $200/yr. Paying by the year begins at once; what is left of the present period is taken off.',
      ],
      confirmLabel: 'Change plan',
    });
    expect(
      changeQuestion({ ...asked, current: { ...onPro, interval: 'year' }, interval: 'month' }),
    ).toMatchObject({
      title: 'Switch to monthly',
      sentences: [
        'The Pro plan costs $20/mo. Paying by the month begins on Dec 10, 2026, when what is paid has ended. Nothing is charged or credited now.',
      ],
      confirmLabel: 'Change plan',
    });
  });

  test('says what it withdraws, and that what is owed comes first', () => {
    const asked = { from: pro, to: ultra, interval: 'month', used: undefined } as const;
    expect(changeQuestion({ ...asked, current: cancelled }).sentences[1]).toBe(
      'The cancellation of the Pro plan is withdrawn.',
    );
    const proYear = { current: toPro, from: ultra, to: pro, interval: 'year', used: undefined } as const;
    expect(changeQuestion(proYear).sentences[1]).toBe('This takes the place of the change that is to come.');
    expect(changeQuestion({ ...asked, current: { ...onPro, status: 'past_due' } }).sentences).toEqual([
      'The Ultra plan costs $200/mo.',
      'Stripe first asks for what is owed. Choose the plan again once that is paid.',
    ]);
  });
});

test('what came of a change is told as it is', () => {
  const byMonth = { plan_id: 'pro', interval: 'month' } as const;
  expect(changedText(pro, byMonth, onPro)).toBe('You are on the Pro plan now.');
  expect(changedText(pro, byMonth, toPro)).toBe('The Pro plan begins on Dec 10, 2026.');
  const change = { plan_id: 'ultra', interval: 'month', at: '2026-12-10T12:00:00.000Z' } as const;
  expect(
    changedText(ultra, { plan_id: 'ultra', interval: 'month' }, { ...onUltra, pending_change: change }),
  ).toBe('The Ultra plan begins on Dec 10, 2026, paid by the month.');
});

import { expect, test } from 'vitest';
import { MINUTE_MS } from '../platform/clock.ts';
import { backOffMs, pollAfterMs } from './pace.ts';

test.each([
  ['a small tracker every five minutes', { requests: 20, hourlyLimit: 5_000 }, false, 5],
  [
    'a tracker without a known limit as if it had the default limit',
    { requests: 500, hourlyLimit: null },
    false,
    30,
  ],
  [
    'a large tracker so rarely that a fifth of its limit suffices',
    { requests: 250, hourlyLimit: 5_000 },
    false,
    15,
  ],
  ['a huge tracker at most once an hour', { requests: 9_000, hourlyLimit: 5_000 }, false, 60],
  ['a tracker with a high limit more often', { requests: 500, hourlyLimit: 120_000 }, false, 5],
  ['a tracker with active webhooks once an hour', { requests: 20, hourlyLimit: 5_000 }, true, 60],
])('polls %s', (_, rateLimitUse, hasWebhooks, minutes) => {
  expect(pollAfterMs(rateLimitUse, hasWebhooks) / MINUTE_MS).toBe(minutes);
});

test('backs off longer after each failure, up to six hours', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 60].map((failures) => backOffMs(failures) / MINUTE_MS);
  expect(minutes).toEqual([30, 60, 120, 240, 360, 360, 360]);
});

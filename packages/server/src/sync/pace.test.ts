import { expect, test } from 'vitest';
import { backOffMs, pollAfterMs } from './pace.ts';

const MINUTE_MS = 60_000;

test.each([
  ['a small tracker every five minutes', { requests: 20, hourlyLimit: 5_000 }, false, 5],
  [
    'one whose limit is not known as if it were the usual one',
    { requests: 500, hourlyLimit: null },
    false,
    30,
  ],
  ['a large one so that a fifth of its limit suffices', { requests: 250, hourlyLimit: 5_000 }, false, 15],
  ['a huge one once an hour', { requests: 9_000, hourlyLimit: 5_000 }, false, 60],
  ['one that allows much more often', { requests: 500, hourlyLimit: 120_000 }, false, 5],
  ['one whose webhooks are active once an hour', { requests: 20, hourlyLimit: 5_000 }, true, 60],
])('looks at %s', (_, spending, hasWebhooks, minutes) => {
  expect(pollAfterMs(spending, hasWebhooks) / MINUTE_MS).toBe(minutes);
});

test('tries a failing tracker later each time, up to six hours', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 60].map((failures) => backOffMs(failures) / MINUTE_MS);
  expect(minutes).toEqual([30, 60, 120, 240, 360, 360, 360]);
});

import { expect, test } from 'vitest';
import { endingText } from './deletion-texts.ts';

test.each([
  [{ planName: null, withWebhooks: 0 }, ''],
  [{ planName: 'Pro', withWebhooks: 0 }, 'Your Pro subscription ends now, without a refund.'],
  [{ planName: '', withWebhooks: 0 }, 'Your subscription ends now, without a refund.'],
  [{ planName: null, withWebhooks: 1 }, 'The webhooks of 1 tracker are removed.'],
  [
    { planName: 'Pro', withWebhooks: 2 },
    'Your Pro subscription ends now, without a refund. The webhooks of 2 trackers are removed.',
  ],
])('states what ends with a deleted account that has %o', (known, text) => {
  expect(endingText(known)).toBe(text);
});

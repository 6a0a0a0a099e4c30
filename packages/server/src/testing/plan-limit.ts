import { planLimit } from '@winnow/contract/plan';
import { expect } from 'vitest';
import type { Answer } from './caller.ts';

/** The environment of a Winnow whose plans are paid for, and where no payment provider answers. */
export const STRIPE_ENV = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
  STRIPE_API_URL: 'http://127.0.0.1:9',
};

/** What a refusal by the plan says. @throws when it is none of this status. */
export function planLimitOf(answer: Answer, status: 403 | 429) {
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('"code":"plan_limit"')]);
  expect(answer.headers.has('retry-after')).toBe(status === 429);
  return planLimit.parse(answer.body);
}

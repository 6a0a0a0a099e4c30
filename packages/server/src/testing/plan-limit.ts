import { planLimit } from '@winnow/contract/plan';
import { expect } from 'vitest';
import type { Answer } from './caller.ts';

/**
 * Returns the error of a `plan_limit` response.
 * @throws if the response is not a `plan_limit` error, or if its status differs
 */
export function planLimitOf(answer: Answer, status: 403 | 429) {
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('"code":"plan_limit"')]);
  expect(answer.headers.has('retry-after')).toBe(status === 429);
  return planLimit.parse(answer.body);
}

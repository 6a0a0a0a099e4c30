import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Brings the pairs of one account up to date. */
export const analyzeAccount = defineJob({
  name: 'analyze-account',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/** An account is analyzed once at a time, and asking twice is asking once. */
export function analyzePlace(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `analyze:${accountId}`, queue: `analyze:${accountId}` };
}

/** Has an account's language model judge its best pairs before anybody asks. */
export const judgeBestPairs = defineJob({
  name: 'judge-best-pairs',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 3,
  isLong: true,
});

/** Asking twice is asking once. */
export function judgePlace(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `judge:${accountId}`, queue: `judge:${accountId}` };
}

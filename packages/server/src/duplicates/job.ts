import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Updates the pairs of one account. */
export const analyzeAccount = defineJob({
  name: 'analyze-account',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/**
 * Returns queue options that run one analysis per account at a time and merge repeated requests.
 */
export function analyzeQueueKey(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `analyze:${accountId}`, queue: `analyze:${accountId}` };
}

/** Asks the account's language model about its most valuable pairs, before a user opens them. */
export const judgeBestPairs = defineJob({
  name: 'judge-best-pairs',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 3,
  isLong: true,
});

/** Returns queue options that merge repeated requests for the same account. */
export function judgeQueueKey(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `judge:${accountId}`, queue: `judge:${accountId}` };
}

/** Fits the calibration of an account's probabilities to the judgments of people. */
export const calibrateAccount = defineJob({
  name: 'calibrate-account',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 5,
  isLong: true,
});

/**
 * Returns queue options that run one calibration per account at a time and merge repeated requests.
 */
export function calibrateQueueKey(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `calibrate:${accountId}`, queue: `calibrate:${accountId}` };
}

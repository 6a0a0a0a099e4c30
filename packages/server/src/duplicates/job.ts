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

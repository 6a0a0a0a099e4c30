import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/** Job: indexes an account's changed texts for word search. */
export const indexAccountWords = defineJob({
  name: 'index-account-words',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/**
 * Returns the job key and queue: one indexing job per account, and repeated requests are merged.
 */
export function indexWordsQueueKey(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `index-words:${accountId}`, queue: `index-words:${accountId}` };
}

import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/** Job that indexes the changed texts of an account for word search. */
export const indexAccountWords = defineJob({
  name: 'index-account-words',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/**
 * Returns the key and queue of the job. Each account has at most one waiting job, and its jobs run
 * one after another.
 */
export function indexWordsQueueKey(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `index-words:${accountId}`, queue: `index-words:${accountId}` };
}

import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/** Indexes what has changed in an account, so that it is found by its words. */
export const indexAccountWords = defineJob({
  name: 'index-account-words',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/** An account is indexed once at a time, and asking twice is asking once. */
export function indexWordsPlace(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `index-words:${accountId}`, queue: `index-words:${accountId}` };
}

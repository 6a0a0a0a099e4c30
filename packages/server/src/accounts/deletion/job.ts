import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/** Deletes everything of an account whose owner has deleted it. */
export const removeAccount = defineJob({
  name: 'remove-account',
  version: 1,
  payload: z.object({ account_id: id }),
  isLong: true,
});

export function removeAccountQueueKey(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `remove-account:${accountId}`, queue: 'remove-account' };
}

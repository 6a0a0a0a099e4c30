import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Finds dependencies in the texts of an account's issues in the background. */
export const findAccountDependencies = defineJob({
  name: 'find-account-dependencies',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/**
 * Returns the job key and the queue for an account. Only one job of an account runs at a time, and
 * repeated requests are merged.
 */
export function findDependenciesQueueKey(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `find-dependencies:${accountId}`, queue: `find-dependencies:${accountId}` };
}

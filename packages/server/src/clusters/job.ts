import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Updates the clusters of one account. */
export const clusterAccount = defineJob({
  name: 'cluster-account',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/**
 * Returns queue options that run one clustering job per account at a time and merge repeated
 * requests.
 */
export function clusterQueueKey(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `cluster:${accountId}`, queue: `cluster:${accountId}` };
}

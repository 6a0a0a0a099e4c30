import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Applies the remaining steps of one change. */
export const applyChange = defineJob({
  name: 'apply-change',
  version: 1,
  payload: z.object({ account_id: id, change_id: id }),
  maxAttempts: 5,
});

/**
 * Returns the job key and the queue for applying a change. The queue runs the changes of an account
 * one after another. Thus no two of them write to the same issue at the same time.
 */
export function applyQueueKey(accountId: string, changeId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `change:${changeId}`, queue: `changes:${accountId}` };
}

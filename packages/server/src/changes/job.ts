import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Applies what is left of one change. */
export const applyChange = defineJob({
  name: 'apply-change',
  version: 1,
  payload: z.object({ account_id: id, change_id: id }),
  maxAttempts: 5,
});

/** An account's changes are applied one after the other, so that two never write to the same issue at once. */
export function applyPlace(accountId: string, changeId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `change:${changeId}`, queue: `changes:${accountId}` };
}

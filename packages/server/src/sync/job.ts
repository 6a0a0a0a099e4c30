import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

const syncPayload = z.object({ account_id: id, tracker_id: id });
export type SyncPayload = z.infer<typeof syncPayload>;

/** Job that syncs one tracker. */
export const syncTracker = defineJob({
  name: 'sync-tracker',
  version: 1,
  payload: syncPayload,
  maxAttempts: 10,
  isLong: true,
});

/** Maximum concurrent syncs per account. Other accounts can then use the remaining slots. */
const SYNCS_PER_ACCOUNT = 2;

/**
 * Returns the value used as both key and queue of a tracker's sync job. Waiting syncs of a tracker
 * are then merged, and two syncs of a tracker never run at the same time.
 */
export function syncQueueKey(accountId: string, trackerId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  const lane = Number.parseInt(trackerId.slice(-4), 16) % SYNCS_PER_ACCOUNT;
  return { key: `sync:${trackerId}`, queue: `sync:${accountId}:${lane}` };
}

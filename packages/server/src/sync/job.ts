import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Brings one tracker up to date. */
export const syncTracker = defineJob({
  name: 'sync-tracker',
  version: 1,
  payload: z.object({ account_id: id, tracker_id: id }),
  maxAttempts: 10,
});

/** A tracker is synced once at a time, and asking twice is asking once. */
export function syncPlace(trackerId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `sync:${trackerId}`, queue: `sync:${trackerId}` };
}

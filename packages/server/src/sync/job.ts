import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

const syncPayload = z.object({ account_id: id, tracker_id: id });
export type SyncPayload = z.infer<typeof syncPayload>;

/** Brings one tracker up to date. */
export const syncTracker = defineJob({
  name: 'sync-tracker',
  version: 1,
  payload: syncPayload,
  maxAttempts: 10,
  isLong: true,
});

/** How many of an account's trackers are synced at a time: the places are for everybody. */
const SYNCS_PER_ACCOUNT = 2;

/** A tracker is synced once at a time, and asking twice is asking once. */
export function syncPlace(accountId: string, trackerId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  const lane = Number.parseInt(trackerId.slice(-4), 16) % SYNCS_PER_ACCOUNT;
  return { key: `sync:${trackerId}`, queue: `sync:${accountId}:${lane}` };
}

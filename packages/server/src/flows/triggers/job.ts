import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

type QueueKey = Pick<EnqueueOptions, 'key' | 'queue'>;

/** Starts the flows that listen to events of an account. */
export const matchEvents = defineJob({
  name: 'match-events',
  version: 1,
  payload: z.object({ account_id: id }),
});

/** Matches events of an account in order, and enqueues one job at a time. */
export function matchEventsQueueKey(accountId: string): QueueKey {
  return { key: `match-events:${accountId}`, queue: `match-events:${accountId}` };
}

/** Starts scheduled flows, and enqueues itself for the next time. */
export const startScheduled = defineJob({
  name: 'start-scheduled-flows',
  version: 1,
  payload: z.object({}),
});
export const SCHEDULE_QUEUE_KEY: QueueKey = { key: 'start-scheduled-flows', queue: 'start-scheduled-flows' };

import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

type QueueKey = Pick<EnqueueOptions, 'key' | 'queue'>;

/** Job that starts the flows listening to events of an account. */
export const matchEvents = defineJob({
  name: 'match-events',
  version: 1,
  payload: z.object({ account_id: id }),
});

/**
 * Returns the key and queue of the job. An account has at most one waiting job, and its jobs run in
 * order.
 */
export function matchEventsQueueKey(accountId: string): QueueKey {
  return { key: `match-events:${accountId}`, queue: `match-events:${accountId}` };
}

/** Job that starts scheduled flows, and enqueues itself for the next time. */
export const startScheduled = defineJob({
  name: 'start-scheduled-flows',
  version: 1,
  payload: z.object({}),
});
export const SCHEDULE_QUEUE_KEY: QueueKey = { key: 'start-scheduled-flows', queue: 'start-scheduled-flows' };

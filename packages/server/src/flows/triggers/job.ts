import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

type QueueKey = Pick<EnqueueOptions, 'key' | 'queue'>;

/** Starts the flows that listen to an account's new events. */
export const matchEvents = defineJob({
  name: 'match-events',
  version: 1,
  payload: z.object({ account_id: id }),
});

/**
 * Returns the job key and the queue for an account. An account has at most one waiting job, and its
 * jobs run one after another.
 */
export function matchEventsQueueKey(accountId: string): QueueKey {
  return { key: `match-events:${accountId}`, queue: `match-events:${accountId}` };
}

/** Starts scheduled flows. Enqueues itself for the next scheduled time. */
export const startScheduled = defineJob({
  name: 'start-scheduled-flows',
  version: 1,
  payload: z.object({}),
});
export const SCHEDULE_QUEUE_KEY: QueueKey = { key: 'start-scheduled-flows', queue: 'start-scheduled-flows' };

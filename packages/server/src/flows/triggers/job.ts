import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

type Place = Pick<EnqueueOptions, 'key' | 'queue'>;

/** Starts the flows that listen for what happened in an account's trackers. */
export const matchEvents = defineJob({
  name: 'match-events',
  version: 1,
  payload: z.object({ account_id: id }),
});

/** An account's events are matched in their order, and asking twice is asking once. */
export function matchEventsPlace(accountId: string): Place {
  return { key: `match-events:${accountId}`, queue: `match-events:${accountId}` };
}

/** Starts the flows that the clock starts, and asks for itself at the next time. */
export const startScheduled = defineJob({
  name: 'start-scheduled-flows',
  version: 1,
  payload: z.object({}),
});
export const SCHEDULE_PLACE: Place = { key: 'start-scheduled-flows', queue: 'start-scheduled-flows' };

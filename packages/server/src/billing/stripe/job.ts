import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/** Forgets old events of Stripe and tells of plans that are missing, and asks for itself a day later. */
export const lookAfterBilling = defineJob({
  name: 'look-after-billing',
  version: 1,
  payload: z.object({}),
});
export const LOOK_AFTER_PLACE: Pick<EnqueueOptions, 'key'> = { key: 'look-after-billing' };

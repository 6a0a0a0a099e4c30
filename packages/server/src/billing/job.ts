import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Removes what was used too long ago to be told, and asks for itself a day later. */
export const removeOldUsage = defineJob({
  name: 'remove-old-usage',
  version: 1,
  payload: z.object({}),
});
export const RETENTION_PLACE: Pick<EnqueueOptions, 'key'> = { key: 'remove-old-usage' };

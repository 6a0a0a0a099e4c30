import { z } from 'zod';
import { MINUTE_MS } from '../../platform/clock.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/** Time in which the second factor must follow the password. */
const PERIOD_MS = 10 * MINUTE_MS;

/**
 * Reports a sign-in whose password was right, and that no second factor followed. It runs later, so
 * that the user's own sign-in in two steps is not reported.
 */
export const reportMissingFactor = defineJob({
  name: 'report-missing-factor',
  version: 1,
  payload: z.object({
    account_id: z.string(),
    user_id: z.string(),
    at: z.iso.datetime(),
    address: z.string(),
    user_agent: z.string().nullable(),
  }),
});
export type MissingFactor = z.infer<typeof reportMissingFactor.payload>;

/**
 * Returns the options of a job that runs at least 10 minutes after `now`. Sign-ins within 10
 * minutes share it: the latest counts.
 */
export function missingFactorOptions(
  { user_id, address }: Pick<MissingFactor, 'user_id' | 'address'>,
  now: Date,
): Pick<EnqueueOptions, 'key' | 'runAt'> {
  const period = Math.floor(now.getTime() / PERIOD_MS);
  return {
    key: `missing-factor:${user_id}:${address}:${period}`,
    runAt: new Date((period + 2) * PERIOD_MS),
  };
}

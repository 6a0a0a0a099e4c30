import { email } from '@winnow/contract/account';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/** Sees again to what was paid with an address: its account is known to be somebody's who reads its mail, or is gone. */
export const settleWaitingPayments = defineJob({
  name: 'settle-waiting-payments',
  version: 1,
  payload: z.object({ email }),
});

export function settleWaitingPlace(address: string): Pick<EnqueueOptions, 'key'> {
  return { key: `waiting-payments:${address.toLowerCase()}` };
}

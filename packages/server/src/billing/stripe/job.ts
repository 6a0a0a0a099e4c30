import { email } from '@winnow/contract/account';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/**
 * Settles waiting payments of an email address again. Runs after the address's account was deleted
 * or claimed by the owner of the address.
 */
export const settleWaitingPayments = defineJob({
  name: 'settle-waiting-payments',
  version: 1,
  payload: z.object({ email }),
});

export function settleWaitingQueueKey(address: string): Pick<EnqueueOptions, 'key'> {
  return { key: `waiting-payments:${address.toLowerCase()}` };
}

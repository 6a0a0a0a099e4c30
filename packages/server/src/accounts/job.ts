import { email } from '@winnow/contract/account';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/**
 * Mails a password reset link if the address has an account. The lookup is part of the job, so that
 * the request takes the same work with and without an account.
 */
export const mailPasswordReset = defineJob({
  name: 'mail-password-reset',
  version: 1,
  payload: z.object({ email }),
});

/** Deduplicates pending jobs for the same address. */
export function mailPasswordResetQueueKey(address: string): Pick<EnqueueOptions, 'key'> {
  return { key: `password-reset:${address.toLowerCase()}` };
}

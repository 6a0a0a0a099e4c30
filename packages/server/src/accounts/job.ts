import { email } from '@winnow/contract/account';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/**
 * Mails a link to whoever has this address, if anybody. Looking them up is part of the job, so that asking for it is the
 * same work whether or not the address has an account.
 */
export const mailPasswordReset = defineJob({
  name: 'mail-password-reset',
  version: 1,
  payload: z.object({ email }),
});

/** Asking twice for one address, before the first was done, is asking once. */
export function mailPasswordResetPlace(address: string): Pick<EnqueueOptions, 'key'> {
  return { key: `password-reset:${address.toLowerCase()}` };
}

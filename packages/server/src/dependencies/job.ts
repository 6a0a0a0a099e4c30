import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Finds the dependencies that the texts of an account's issues show, before anybody asks. */
export const findAccountDependencies = defineJob({
  name: 'find-account-dependencies',
  version: 1,
  payload: z.object({ account_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/** An account is looked through once at a time, and asking twice is asking once. */
export function findDependenciesPlace(accountId: string): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `find-dependencies:${accountId}`, queue: `find-dependencies:${accountId}` };
}

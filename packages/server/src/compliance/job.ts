import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

/** Scores all issues of a project. */
export const scoreProject = defineJob({
  name: 'score-project',
  version: 1,
  payload: z.object({ account_id: id, run_id: id }),
  maxAttempts: 10,
  isLong: true,
});

/**
 * Returns the job key and the queue of a scoring run. The projects of an account are scored one
 * after another.
 */
export function scoreProjectQueueKey(
  accountId: string,
  runId: string,
): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `score:${runId}`, queue: `score:${accountId}` };
}

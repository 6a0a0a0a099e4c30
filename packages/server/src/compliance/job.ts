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
 * Returns the key and queue of a run's job. The projects of an account are scored one after the
 * other.
 */
export function scoreProjectQueueKey(
  accountId: string,
  runId: string,
): Pick<EnqueueOptions, 'key' | 'queue'> {
  return { key: `score:${runId}`, queue: `score:${accountId}` };
}

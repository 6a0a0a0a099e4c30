import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

/** Runs one execution of a flow from where it stands to its end. */
export const runFlow = defineJob({
  name: 'run-flow',
  version: 1,
  payload: z.object({
    account_id: id,
    execution_id: id,
    /** Somebody waits for it, who may just have mended what failed. */
    by_hand: z.boolean().default(false),
  }),
  isWaiting: true,
});

/** An execution is run by one worker at a time, and asking twice is asking once. */
export function runFlowPlace(executionId: string): Pick<EnqueueOptions, 'key'> {
  return { key: `run-flow:${executionId}` };
}

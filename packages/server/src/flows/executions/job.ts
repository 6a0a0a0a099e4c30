import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

const payload = z.object({
  account_id: id,
  execution_id: id,
  /** A user waits for it, who may just have fixed what failed. */
  by_hand: z.boolean().default(false),
});

/**
 * Runs one execution of a flow from where it stands to its end. Those of a language model mostly wait for it: of one account
 * eight are run at a time, so that no account waits for the slow model of another.
 */
export const runFlow = defineJob({
  name: 'run-flow',
  version: 1,
  payload,
  places: { atOnce: 50, perAccount: 8 },
});

/** The same for the built-in analyst. It has places of its own, so that it never waits for a slow model. */
export const runBuiltInFlow = defineJob({
  name: 'run-built-in-flow',
  version: 1,
  payload,
  places: { atOnce: 20, perAccount: 8 },
});

export function runFlowJob(hasModel: boolean): typeof runFlow {
  return hasModel ? runFlow : runBuiltInFlow;
}

/** An execution is run by one worker at a time, and asking twice is asking once. */
export function runFlowPlace(executionId: string): Pick<EnqueueOptions, 'key'> {
  return { key: `run-flow:${executionId}` };
}

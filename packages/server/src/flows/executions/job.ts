import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

const payload = z.object({
  account_id: id,
  execution_id: id,
  /** A user waits for it, who may just have fixed what failed. */
  by_hand: z.boolean().default(false),
  /** The flow's language model; null for the built-in analyst. */
  ai_model_id: id.nullable().default(null),
});

/**
 * Runs one execution of a flow from where it stands to its end. Those of a language model mostly wait for it. So eight of one
 * model run at a time, and two more of its account: no account waits for another's slow model, and no model for another.
 */
export const runFlow = defineJob({
  name: 'run-flow',
  version: 1,
  payload,
  places: {
    maxConcurrent: 50,
    shares: [
      { field: 'account_id', max: 10 },
      { field: 'ai_model_id', max: 8 },
    ],
  },
});

/** The same for the built-in analyst. It has places of its own, so that it never waits for a slow model. */
export const runBuiltInFlow = defineJob({
  name: 'run-built-in-flow',
  version: 1,
  payload,
  places: { maxConcurrent: 20, shares: [{ field: 'account_id', max: 8 }] },
});

export function runFlowJob(modelId: string | null): typeof runFlow {
  return modelId === null ? runBuiltInFlow : runFlow;
}

/** An execution is run by one worker at a time, and asking twice is asking once. */
export function runFlowPlace(executionId: string): Pick<EnqueueOptions, 'key'> {
  return { key: `run-flow:${executionId}` };
}

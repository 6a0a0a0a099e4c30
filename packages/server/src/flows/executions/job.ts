import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';
import type { EnqueueOptions } from '../../platform/jobs/jobs.ts';

const payload = z.object({
  account_id: id,
  execution_id: id,
  /**
   * True if a user started the execution and is waiting for it. A model paused after failures is
   * then tried again, because the user may have fixed the cause.
   */
  by_hand: z.boolean().default(false),
  /** Id of the flow's language model; null for the built-in analyst. */
  ai_model_id: id.nullable().default(null),
});

/**
 * Runs one execution from its stored progress to its end. Executions mostly wait for their model.
 * Each model has eight slots and each account ten, so that a slow model delays neither other models
 * nor other accounts.
 */
export const runFlow = defineJob({
  name: 'run-flow',
  version: 1,
  payload,
  slots: {
    maxConcurrent: 50,
    shares: [
      { field: 'account_id', max: 10 },
      { field: 'ai_model_id', max: 8 },
    ],
  },
});

/**
 * Runs one execution of the built-in analyst. Such executions have separate slots, so that they
 * never wait for a slow model.
 */
export const runBuiltInFlow = defineJob({
  name: 'run-built-in-flow',
  version: 1,
  payload,
  slots: { maxConcurrent: 20, shares: [{ field: 'account_id', max: 8 }] },
});

export function runFlowJob(modelId: string | null): typeof runFlow {
  return modelId === null ? runBuiltInFlow : runFlow;
}

/**
 * Returns the job key of an execution. It ensures that the execution is enqueued once and run by
 * one worker at a time.
 */
export function runFlowQueueKey(executionId: string): Pick<EnqueueOptions, 'key'> {
  return { key: `run-flow:${executionId}` };
}

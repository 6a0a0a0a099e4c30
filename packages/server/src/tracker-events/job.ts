import { id } from '@winnow/contract/primitives';
import { trackerType } from '@winnow/contract/tracker';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

type QueueKey = Pick<EnqueueOptions, 'key' | 'queue'>;

/** Job: reads the issues named by delivered events of one project. */
export const readDelivered = defineJob({
  name: 'read-delivered',
  version: 1,
  payload: z.object({
    account_id: id,
    tracker_id: id,
    project_external_id: z.string(),
    /** Name of the project in the latest delivery. */
    project_identifier: z.string(),
  }),
});

/** Returns the job key and queue: one job per project, and one project of a tracker at a time. */
export function readDeliveredQueueKey(trackerId: string, projectExternalId: string): QueueKey {
  return { key: `delivered:${trackerId}:${projectExternalId}`, queue: `delivered:${trackerId}` };
}

/** Job: makes the tracker's webhooks match the projects in scope. */
export const settleWebhooks = defineJob({
  name: 'settle-webhooks',
  version: 1,
  payload: z.object({ account_id: id, tracker_id: id }),
  maxAttempts: 5,
  isLong: true,
});

export function settleWebhooksQueueKey(accountId: string, trackerId: string): QueueKey {
  return { key: `webhooks:${trackerId}`, queue: `webhooks:${accountId}` };
}

/**
 * Job: removes the webhooks of a deleted tracker. The payload carries the sealed key, because the
 * row is deleted by then.
 */
export const removeWebhooks = defineJob({
  name: 'remove-webhooks',
  version: 1,
  payload: z.object({
    account_id: id,
    tracker_id: id,
    tracker_type: trackerType,
    url: z.string(),
    username: z.string().nullable(),
    sealed_key: z.base64(),
    hooks: z.array(
      z.object({ project_external_id: z.string(), project_identifier: z.string(), hook_id: z.string() }),
    ),
  }),
  maxAttempts: 12,
});

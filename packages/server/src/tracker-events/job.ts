import { id } from '@winnow/contract/primitives';
import { trackerType } from '@winnow/contract/tracker';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

type QueueKey = Pick<EnqueueOptions, 'key' | 'queue'>;

/** Job that reads the issues of one project that webhook deliveries have named. */
export const readDelivered = defineJob({
  name: 'read-delivered',
  version: 1,
  payload: z.object({
    account_id: id,
    tracker_id: id,
    project_external_id: z.string(),
    /** Name of the project according to the latest delivery. */
    project_identifier: z.string(),
  }),
});

/**
 * Returns the key and queue of the job. Each project has at most one waiting job. Jobs of one
 * tracker run one after another.
 */
export function readDeliveredQueueKey(trackerId: string, projectExternalId: string): QueueKey {
  return { key: `delivered:${trackerId}:${projectExternalId}`, queue: `delivered:${trackerId}` };
}

/** Job that creates and removes webhooks, so that exactly the projects in scope have one. */
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
 * Job that removes the webhooks of a deleted tracker. The payload contains the encrypted API key,
 * because the tracker's row is already deleted.
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

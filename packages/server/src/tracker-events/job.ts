import { id } from '@winnow/contract/primitives';
import { trackerType } from '@winnow/contract/tracker';
import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { EnqueueOptions } from '../platform/jobs/jobs.ts';

type Place = Pick<EnqueueOptions, 'key' | 'queue'>;

/** Reads from the tracker what events of one project name. */
export const readDelivered = defineJob({
  name: 'read-delivered',
  version: 1,
  payload: z.object({
    account_id: id,
    tracker_id: id,
    project_external_id: z.string(),
    /** What the tracker called the project when it told of it last. */
    project_identifier: z.string(),
  }),
});

/** A project is read once at a time, and a tracker's projects one after the other. */
export function readDeliveredPlace(trackerId: string, projectExternalId: string): Place {
  return { key: `delivered:${trackerId}:${projectExternalId}`, queue: `delivered:${trackerId}` };
}

/** Has a tracker call us about every project in scope, and about no other. */
export const settleWebhooks = defineJob({
  name: 'settle-webhooks',
  version: 1,
  payload: z.object({ account_id: id, tracker_id: id }),
  maxAttempts: 5,
  isLong: true,
});

export function settleWebhooksPlace(accountId: string, trackerId: string): Place {
  return { key: `webhooks:${trackerId}`, queue: `webhooks:${accountId}` };
}

/** Takes away the webhooks of a tracker that was deleted here, whose row is gone by then; the key is sealed. */
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

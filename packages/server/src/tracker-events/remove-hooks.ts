import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import * as hookStore from './hook-store.ts';
import { removeWebhooks } from './job.ts';
import * as store from './store.ts';

/**
 * Schedules the removal of a tracker's webhooks. Call it in the transaction that deletes the
 * tracker, before the deletion. The job contains the encrypted API key.
 */
export async function requestHookRemoval(
  db: Db,
  jobs: Jobs,
  accountId: string,
  trackerId: string,
): Promise<void> {
  const tracker = await store.findConnection(db, accountId, trackerId);
  if (!tracker?.sealed_key) return;
  const known = await hookStore.hooksOf(db, accountId, trackerId);
  const hooks = known.flatMap(({ project_external_id, project_identifier, hook_id, tracker_url }) =>
    hook_id === null || tracker_url !== tracker.url
      ? []
      : [{ project_external_id, project_identifier, hook_id }],
  );
  if (hooks.length === 0) return;
  await jobs.enqueue(
    removeWebhooks,
    {
      account_id: accountId,
      tracker_id: trackerId,
      tracker_type: tracker.tracker_type,
      url: tracker.url,
      username: tracker.username,
      sealed_key: tracker.sealed_key.toString('base64'),
      hooks,
    },
    { db },
  );
}

/**
 * Schedules the removal of the webhooks of all trackers of an account. Call it in the transaction
 * that deletes the account.
 */
export async function requestAllHookRemovals(db: Db, jobs: Jobs, accountId: string): Promise<void> {
  for (const trackerId of await store.trackersOf(db, accountId)) {
    await requestHookRemoval(db, jobs, accountId, trackerId);
  }
}

import { AppError } from '../platform/errors.ts';
import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Log } from '../platform/log.ts';
import { TrackerError, type Trackers } from '../trackers/index.ts';
import { type Hooks, portProject } from './hooks.ts';
import { removeWebhooks, settleWebhooks, settleWebhooksQueueKey } from './job.ts';

/**
 * Returns the job handler that creates and removes a tracker's webhooks as needed. Postpones the
 * job during a rate limit.
 */
export function handleSettle(options: {
  hooks: Hooks;
  jobs: Jobs;
  /** Called when the state of a tracker's webhooks may have changed. */
  onSettled: (accountId: string, trackerId: string) => Promise<void>;
}): HandledJob {
  const { hooks, jobs, onSettled } = options;
  return handle(settleWebhooks, async (payload, { signal }) => {
    const { account_id: accountId, tracker_id: trackerId } = payload;
    try {
      await hooks.settle(accountId, trackerId, signal);
    } catch (error) {
      if (error instanceof AppError && error.category === 'not_found') return;
      const retryAt = error instanceof TrackerError ? error.retryAt : null;
      if (retryAt === null) throw error;
      const queueKey = settleWebhooksQueueKey(accountId, trackerId);
      await jobs.enqueue(settleWebhooks, payload, { ...queueKey, runAt: retryAt });
    }
    await onSettled(accountId, trackerId);
  });
}

/**
 * Returns the job handler that removes the webhooks of a deleted tracker, while its API key is
 * still valid. After the last attempt, it logs the webhooks that remain, since only the job knows
 * the key.
 */
export function handleRemoval({ trackers, log }: { trackers: Trackers; log: Log }): HandledJob {
  return handle(removeWebhooks, async (payload, { signal, isLastAttempt }) => {
    const { webhooks } = trackers.connections.open({
      ...payload,
      id: payload.tracker_id,
      sealed_key: Buffer.from(payload.sealed_key, 'base64'),
    });
    const failures: TrackerError[] = [];
    const left: string[] = [];
    for (const hook of payload.hooks) {
      signal.throwIfAborted();
      try {
        await webhooks?.remove(portProject(hook), hook.hook_id, signal);
      } catch (error) {
        if (!(error instanceof TrackerError)) throw error;
        left.push(`${hook.project_identifier} (${hook.hook_id})`);
        if (error.transient) failures.push(error);
      }
    }
    const [failure] = failures;
    if (failure !== undefined && !isLastAttempt) throw failure;
    if (left.length > 0) {
      log.warn(
        { tracker_id: payload.tracker_id, hooks: left },
        'Webhooks of a deleted tracker could not be removed.',
      );
    }
  });
}

import { AppError } from '../platform/errors.ts';
import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { TrackerError } from '../trackers/provider.ts';
import type { Trackers } from '../trackers/service.ts';
import { type Hooks, portProject } from './hooks.ts';
import { removeWebhooks, settleWebhooks, settleWebhooksPlace } from './job.ts';

/** Settles a tracker's webhooks; a tracker that asks for a pause gets it. */
export function handleSettle(options: {
  hooks: Hooks;
  jobs: Jobs;
  /** Told when what is known of a tracker's webhooks may be something else by now. */
  onSettled: (accountId: string, trackerId: string) => Promise<void>;
}): HandledJob {
  const { hooks, jobs, onSettled } = options;
  return handle(settleWebhooks, async (payload, { signal }) => {
    const { account_id: accountId, tracker_id: trackerId } = payload;
    try {
      await hooks.settle(accountId, trackerId, signal);
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return;
      const retryAt = error instanceof TrackerError ? error.retryAt : null;
      if (retryAt === null) throw error;
      const place = settleWebhooksPlace(accountId, trackerId);
      await jobs.enqueue(settleWebhooks, payload, { ...place, runAt: retryAt });
    }
    await onSettled(accountId, trackerId);
  });
}

/** Takes the webhooks of a deleted tracker away, as far as its credentials still allow. */
export function handleRemoval({ trackers }: { trackers: Trackers }): HandledJob {
  return handle(removeWebhooks, async (payload, { signal }) => {
    const { webhooks } = trackers.connections.open({
      ...payload,
      id: payload.tracker_id,
      sealed_key: Buffer.from(payload.sealed_key, 'base64'),
    });
    let failure: TrackerError | null = null;
    for (const hook of payload.hooks) {
      signal.throwIfAborted();
      try {
        await webhooks?.remove(portProject(hook), hook.hook_id, signal);
      } catch (error) {
        if (!(error instanceof TrackerError)) throw error;
        if (error.transient) failure = error;
      }
    }
    if (failure !== null) throw failure;
  });
}

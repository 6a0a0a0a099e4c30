import { isConnectionError } from '../platform/database-unavailable.ts';
import { AppError } from '../platform/errors.ts';
import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { type SyncPayload, syncQueueKey, syncTracker } from './job.ts';
import { backOffMs, pollAfterMs } from './pace.ts';
import { listAllTrackers } from './store.ts';
import type { Sync, SyncOutcome } from './sync.ts';
import { TrackerGone } from './tracker-gone.ts';

export interface SyncHandling {
  sync: Sync;
  jobs: Jobs;
  now: () => Date;
  /** True if the tracker's webhooks report all changes. Polling then runs rarely. */
  webhooksAreActive: (accountId: string, trackerId: string) => Promise<boolean>;
  /** Called after every sync that ended with an outcome, including a failure. */
  onEnded: (accountId: string) => Promise<void>;
}

/** Returns the job handler that runs a sync and schedules the next one. */
export function handleSync({ sync, jobs, now, webhooksAreActive, onEnded }: SyncHandling): HandledJob {
  const inMs = (ms: number) => new Date(now().getTime() + ms);

  async function nextAfter(outcome: SyncOutcome, { account_id, tracker_id }: SyncPayload): Promise<Date> {
    switch (outcome.state) {
      case 'paused':
        return outcome.until;
      case 'done': {
        const poll = inMs(pollAfterMs(outcome.rateLimitUse, await webhooksAreActive(account_id, tracker_id)));
        const { fullUntil } = outcome;
        return fullUntil !== null && fullUntil < poll ? fullUntil : poll;
      }
      case 'interrupted':
        return inMs(backOffMs(1));
      case 'failed':
        return inMs(backOffMs(outcome.failures));
    }
  }

  return handle(syncTracker, async (payload, context) => {
    const { account_id: accountId, tracker_id: trackerId } = payload;
    const next = (at: Date) =>
      jobs.enqueue(syncTracker, payload, { ...syncQueueKey(accountId, trackerId), runAt: at });
    try {
      const outcome = await sync.run(accountId, trackerId, context.signal);
      await onEnded(accountId);
      if (outcome.state === 'interrupted' && !context.isLastAttempt) throw new SyncInterrupted();
      await next(await nextAfter(outcome, payload));
    } catch (error) {
      if (isGone(error)) return;
      if (context.signal.aborted) throw error;
      const isOurs = !(error instanceof SyncInterrupted) && !isConnectionError(error);
      if (isOurs) await sync.recordFault(accountId, trackerId, sentenceOf(error));
      if (context.isLastAttempt) await next(inMs(backOffMs(1)));
      throw error;
    }
  });
}

/**
 * Enqueues a sync for every tracker, in case a job was lost. Does not change the start time of a
 * waiting job. Called at startup.
 */
export async function resumeSyncs(db: Db, jobs: Jobs, now: () => Date): Promise<void> {
  for (const { accountId, trackerId } of await listAllTrackers(db)) {
    await jobs.enqueue(
      syncTracker,
      { account_id: accountId, tracker_id: trackerId },
      { ...syncQueueKey(accountId, trackerId), runAt: now() },
    );
  }
}

function isGone(error: unknown): boolean {
  return error instanceof TrackerGone || (error instanceof AppError && error.category === 'not_found');
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.detail;
  return 'The sync stopped because of an internal error (see the server log). It is retried automatically.';
}

/** Thrown if a sync failed, so that the queue retries the job with increasing delays. */
class SyncInterrupted extends Error {
  override readonly name = 'SyncInterrupted';

  constructor() {
    super('The tracker could not be read completely.');
  }
}

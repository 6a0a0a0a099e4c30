import { isConnectionError } from '../platform/database-unavailable.ts';
import { AppError } from '../platform/errors.ts';
import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { type SyncPayload, syncPlace, syncTracker } from './job.ts';
import { backOffMs, pollAfterMs } from './pace.ts';
import type { Sync, SyncOutcome } from './sync.ts';
import { TrackerGone } from './tracker-gone.ts';

export interface SyncHandling {
  sync: Sync;
  jobs: Jobs;
  now: () => Date;
  /** Whether the tracker tells of what happens there by itself. */
  webhooksAreActive: (accountId: string, trackerId: string) => Promise<boolean>;
  /** Told when a sync ended, whatever came of it. */
  onEnded: (accountId: string) => Promise<void>;
}

/** Runs syncs, and sees to it that each is followed by the next. */
export function handleSync({ sync, jobs, now, webhooksAreActive, onEnded }: SyncHandling): HandledJob {
  const inMs = (ms: number) => new Date(now().getTime() + ms);

  async function nextAfter(outcome: SyncOutcome, { account_id, tracker_id }: SyncPayload): Promise<Date> {
    switch (outcome.state) {
      case 'paused':
        return outcome.until;
      case 'done': {
        const poll = inMs(pollAfterMs(outcome.spending, await webhooksAreActive(account_id, tracker_id)));
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
      jobs.enqueue(syncTracker, payload, { ...syncPlace(accountId, trackerId), runAt: at });
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

/** Gives every tracker its next sync, should its job have been lost. One that waits keeps its time. */
export async function resumeSyncs(db: Db, jobs: Jobs, now: () => Date): Promise<void> {
  const trackers = await db.selectFrom('tracker').select(['account_id', 'id']).execute();
  for (const { account_id, id } of trackers) {
    await jobs.enqueue(
      syncTracker,
      { account_id, tracker_id: id },
      { ...syncPlace(account_id, id), runAt: now() },
    );
  }
}

function isGone(error: unknown): boolean {
  return error instanceof TrackerGone || (error instanceof AppError && error.status === 404);
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.detail;
  return 'The sync stopped for a reason that is in the log. It is tried again by itself.';
}

/** Lets the queue try again, later each time. */
class SyncInterrupted extends Error {
  override readonly name = 'SyncInterrupted';

  constructor() {
    super('The tracker could not be read to the end.');
  }
}

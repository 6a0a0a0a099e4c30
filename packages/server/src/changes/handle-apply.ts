import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import type { ChangeApplier } from './apply.ts';
import { applyChange, applyQueueKey } from './job.ts';
import { listAllApplying } from './store.ts';

/**
 * Handles the job that applies a change. If a tracker's rate limit stops the change, the job
 * continues when the tracker allows it.
 */
export function handleApply({ applier, jobs }: { applier: ChangeApplier; jobs: Jobs }): HandledJob {
  return handle(applyChange, async (payload, context) => {
    const { account_id: accountId, change_id: changeId } = payload;
    const { retryAt } = await applier.apply(accountId, changeId, context);
    if (retryAt !== null) {
      await jobs.enqueue(applyChange, payload, { ...applyQueueKey(accountId, changeId), runAt: retryAt });
    }
  });
}

/**
 * Enqueues the jobs of all changes in status `applying` again, in case a job was lost. Scheduled
 * retries keep their time.
 */
export async function resumeChanges(db: Db, jobs: Jobs, now: () => Date): Promise<void> {
  for (const { account_id, id } of await listAllApplying(db)) {
    await jobs.enqueue(
      applyChange,
      { account_id, change_id: id },
      { ...applyQueueKey(account_id, id), runAt: now() },
    );
  }
}

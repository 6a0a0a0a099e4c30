import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { scoreProject, scoreProjectQueueKey } from './job.ts';
import { listUnfinishedRuns } from './run-store.ts';
import type { ComplianceRuns } from './runs.ts';

/** Handles the job that scores all issues of a project. */
export function handleRun(runs: ComplianceRuns): HandledJob {
  return handle(scoreProject, ({ account_id: accountId, run_id: runId }, context) =>
    runs.processRun(accountId, runId, context),
  );
}

/** Enqueues the jobs of all unfinished runs again, in case a job was lost. */
export async function resumeRuns(db: Db, jobs: Jobs, now: () => Date): Promise<void> {
  for (const { account_id, id } of await listUnfinishedRuns(db)) {
    await jobs.enqueue(
      scoreProject,
      { account_id, run_id: id },
      { ...scoreProjectQueueKey(account_id, id), runAt: now() },
    );
  }
}

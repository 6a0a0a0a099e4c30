import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { scoreProject, scoreProjectPlace } from './job.ts';
import { everyRunning } from './run-store.ts';
import type { ComplianceRuns } from './runs.ts';

/** Scores all issues of a project. */
export function handleRun(runs: ComplianceRuns): HandledJob {
  return handle(scoreProject, ({ account_id: accountId, run_id: runId }, context) =>
    runs.carryOut(accountId, runId, context),
  );
}

/** Goes on with every run that has not ended, should its job have been lost. */
export async function resumeRuns(db: Db, jobs: Jobs, now: () => Date): Promise<void> {
  for (const { account_id, id } of await everyRunning(db)) {
    await jobs.enqueue(
      scoreProject,
      { account_id, run_id: id },
      { ...scoreProjectPlace(account_id, id), runAt: now() },
    );
  }
}

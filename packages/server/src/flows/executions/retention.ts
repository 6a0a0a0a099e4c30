import { DAY_MS, dailyJob } from '../../platform/jobs/daily.ts';
import type { HandledJob } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { removeBefore } from './store.ts';

const removal = dailyJob('remove-old-executions');

/** Removes executions with their logs after so many days. What they wrote stays in the ledger. */
export function handleExecutionRetention({
  db,
  jobs,
  now,
  keptDays,
}: {
  db: Db;
  jobs: Jobs;
  now: () => Date;
  keptDays: number;
}): HandledJob {
  return removal.handled({ jobs, now }, () =>
    removeBefore(db, new Date(now().getTime() - keptDays * DAY_MS)),
  );
}

export const resumeExecutionRetention = removal.resume;

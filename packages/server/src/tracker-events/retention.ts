import { DAY_MS, dailyJob } from '../platform/jobs/daily.ts';
import type { HandledJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './store.ts';

const removal = dailyJob('remove-old-events');

/** Removes events and deliveries after so many days. */
export function handleRetention({
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
    store.removeBefore(db, new Date(now().getTime() - keptDays * DAY_MS)),
  );
}

export const resumeRetention = removal.resume;

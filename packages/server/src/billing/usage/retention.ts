import { dailyJob } from '../../platform/jobs/daily.ts';
import type { HandledJob } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { addDays, dayOf } from './day.ts';

const removal = dailyJob('remove-old-usage');

/** Removes what was used before the last so many days: all that `removeBefore` removes. */
export function handleUsageRetention({
  jobs,
  now,
  keptDays,
  removeBefore,
}: {
  jobs: Jobs;
  now: () => Date;
  keptDays: number;
  removeBefore: (day: string) => Promise<void>;
}): HandledJob {
  return removal.handled({ jobs, now }, () => removeBefore(addDays(dayOf(now()), 1 - keptDays)));
}

export const resumeUsageRetention = removal.resume;

import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { addDays, dayOf } from './day.ts';
import { RETENTION_PLACE, removeOldUsage } from './job.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Removes what was used before the last so many days, once a day: all that `removeBefore` removes. */
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
  return handle(removeOldUsage, async () => {
    await removeBefore(addDays(dayOf(now()), 1 - keptDays));
    await jobs.enqueue(removeOldUsage, {}, { ...RETENTION_PLACE, runAt: new Date(now().getTime() + DAY_MS) });
  });
}

/** Sees to it that old usage is going to be removed. */
export async function resumeUsageRetention(jobs: Jobs, now: () => Date): Promise<void> {
  await jobs.enqueue(removeOldUsage, {}, { ...RETENTION_PLACE, runAt: now() });
}

import { type HandledJob, handle } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Db } from '../schema/tables.ts';
import { RETENTION_PLACE, removeOldEvents } from './job.ts';
import * as store from './store.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Removes events after so many days, once a day. */
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
  return handle(removeOldEvents, async () => {
    await store.removeBefore(db, new Date(now().getTime() - keptDays * DAY_MS));
    await jobs.enqueue(
      removeOldEvents,
      {},
      { ...RETENTION_PLACE, runAt: new Date(now().getTime() + DAY_MS) },
    );
  });
}

/** Sees to it that old events are going to be removed. */
export async function resumeRetention(jobs: Jobs, now: () => Date): Promise<void> {
  await jobs.enqueue(removeOldEvents, {}, { ...RETENTION_PLACE, runAt: now() });
}

import { z } from 'zod';
import { defineJob, type HandledJob, handle } from '../../platform/jobs/job.ts';
import type { EnqueueOptions, Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { removeBefore } from './store.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Removes executions that began too long ago, and asks for itself a day later. */
export const removeOldExecutions = defineJob({
  name: 'remove-old-executions',
  version: 1,
  payload: z.object({}),
});
const PLACE: Pick<EnqueueOptions, 'key'> = { key: 'remove-old-executions' };

/** Removes executions with their logs after so many days, once a day. What they wrote stays in the ledger. */
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
  return handle(removeOldExecutions, async () => {
    await removeBefore(db, new Date(now().getTime() - keptDays * DAY_MS));
    await jobs.enqueue(removeOldExecutions, {}, { ...PLACE, runAt: new Date(now().getTime() + DAY_MS) });
  });
}

/** Sees to it that old executions are going to be removed. */
export async function resumeExecutionRetention(jobs: Jobs, now: () => Date): Promise<void> {
  await jobs.enqueue(removeOldExecutions, {}, { ...PLACE, runAt: now() });
}

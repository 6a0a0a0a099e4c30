import { z } from 'zod';
import { DAY_MS } from '../clock.ts';
import { defineJob, type HandledJob, handle } from './job.ts';
import type { Jobs } from './jobs.ts';

/** A job that runs once a day, in one of the processes. */
export interface DailyJob {
  /** Creates the handler. It runs `work`, then enqueues the job for the next day. */
  handled(on: { jobs: Jobs; now: () => Date }, work: () => Promise<void>): HandledJob;
  /** Enqueues the job to run immediately, unless a later run is already scheduled. */
  resume(jobs: Jobs, now: () => Date): Promise<void>;
}

/**
 * Defines a daily job. Never change its `name`, because installations store it in their databases.
 */
export function dailyJob(name: string): DailyJob {
  const job = defineJob({ name, version: 1, payload: z.object({}) });
  const ask = (jobs: Jobs, runAt: Date) => jobs.enqueue(job, {}, { key: name, runAt });
  return {
    handled: ({ jobs, now }, work) =>
      handle(job, async () => {
        await work();
        await ask(jobs, new Date(now().getTime() + DAY_MS));
      }),
    resume: async (jobs, now) => {
      await ask(jobs, now());
    },
  };
}

/**
 * Defines a daily job that removes data older than `keptDays` days. Never change its `name`, as
 * with {@link dailyJob}.
 */
export function retention(
  name: string,
  {
    jobs,
    now,
    keptDays,
    removeBefore,
  }: { jobs: Jobs; now: () => Date; keptDays: number; removeBefore: (before: Date) => Promise<void> },
): { handler: HandledJob; resume: () => Promise<void> } {
  const removal = dailyJob(name);
  return {
    handler: removal.handled({ jobs, now }, () =>
      removeBefore(new Date(now().getTime() - keptDays * DAY_MS)),
    ),
    resume: () => removal.resume(jobs, now),
  };
}

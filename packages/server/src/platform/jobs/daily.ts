import { z } from 'zod';
import { DAY_MS } from '../clock.ts';
import { defineJob, type HandledJob, handle } from './job.ts';
import type { Jobs } from './jobs.ts';

/** Something that is done once a day, by one process of all. */
export interface DailyJob {
  /** `work` is done, and asked for again a day later. */
  handled(on: { jobs: Jobs; now: () => Date }, work: () => Promise<void>): HandledJob;
  /** Sees to it that it is going to be done: now, unless a later time is set already. */
  resume(jobs: Jobs, now: () => Date): Promise<void>;
}

/** `name` stands in the databases of those who run Winnow, and so never changes. */
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

/** Removes, once a day, what is older than `keptDays`. `name` is that of a {@link dailyJob}. */
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

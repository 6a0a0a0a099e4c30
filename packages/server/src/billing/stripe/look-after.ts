import { type HandledJob, handle } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Db } from '../../schema/tables.ts';
import { LOOK_AFTER_PLACE, lookAfterBilling } from './job.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Stripe sends an event again for three days. */
const EVENTS_KEPT_MS = 30 * DAY_MS;

/** Once a day: forgets events that were carried out, and tells the operator of plans that are paid for and missing. */
export function handleLookAfter(options: {
  db: Db;
  jobs: Jobs;
  subscriptions: Subscriptions;
  now: () => Date;
}): HandledJob {
  const { db, jobs, now, subscriptions } = options;
  return handle(lookAfterBilling, async () => {
    await store.removeEventsBefore(db, new Date(now().getTime() - EVENTS_KEPT_MS));
    await subscriptions.warnOfMissingPlans();
    const runAt = new Date(now().getTime() + DAY_MS);
    await jobs.enqueue(lookAfterBilling, {}, { ...LOOK_AFTER_PLACE, runAt });
  });
}

/** Sees to it that billing is looked after. */
export async function resumeLookAfter(jobs: Jobs, now: () => Date): Promise<void> {
  await jobs.enqueue(lookAfterBilling, {}, { ...LOOK_AFTER_PLACE, runAt: now() });
}

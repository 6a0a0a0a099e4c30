import { DAY_MS } from '../../platform/clock.ts';
import { dailyJob } from '../../platform/jobs/daily.ts';
import type { HandledJob } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../schema/tables.ts';
import type { StripeClient } from './client.ts';
import { isPaid, type Payers } from './payers.ts';
import { listOf, stripeSession } from './schemas.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

const dailyReconciliation = dailyJob('look-after-billing');
/** Must exceed {@link SESSION_SEARCH_DAYS}. Otherwise a session could be settled twice. */
const EVENT_RETENTION_DAYS = 30;
const SESSION_SEARCH_DAYS = 14;
const SESSION_PAGE_SIZE = 100;
/**
 * Days after which a subscription is read again. If its paid period has ended, one day is enough.
 */
const REREAD_AFTER_DAYS = 3;
/**
 * Maximum number of subscriptions read per day. The remaining ones are read on the following days.
 */
const MAX_READS_PER_DAY = 5_000;
/** Consecutive failures after which Stripe is considered unavailable. */
const MAX_CONSECUTIVE_FAILURES = 3;

export interface ReconciliationOptions {
  db: Db;
  client: StripeClient;
  payers: Payers;
  subscriptions: Subscriptions;
  log: Log;
  now: () => Date;
  /** Public URL of this installation. Checkout sessions created here store it. */
  publicUrl: () => string;
}

export function handleReconciliation({
  jobs,
  ...options
}: ReconciliationOptions & { jobs: Jobs }): HandledJob {
  return dailyReconciliation.handled({ jobs, now: options.now }, () => reconcile(options));
}

export const resumeReconciliation = dailyReconciliation.resume;

/**
 * Processes changes that webhooks missed: paid sessions that are not settled, and changed
 * subscriptions. If Stripe is unavailable, the next daily run continues. Also deletes old events,
 * and warns the operator of missing plans.
 */
async function reconcile(options: ReconciliationOptions): Promise<void> {
  const { db, log, now, payers, subscriptions } = options;
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
  await store.removeEventsBefore(db, daysAgo(EVENT_RETENTION_DAYS));
  try {
    const sessions = await unsettledSessions(options, daysAgo(SESSION_SEARCH_DAYS));
    await forEach(log, sessions, async (sessionId) => {
      await payers.settle(sessionId);
      await store.markProcessed(db, sessionId, now());
    });
    const accounts = await store.accountsToRead(db, {
      readBefore: daysAgo(REREAD_AFTER_DAYS),
      endedBefore: daysAgo(1),
      atMost: MAX_READS_PER_DAY,
    });
    await forEach(log, accounts, (accountId) => subscriptions.sync(accountId, { keepUnknown: true }));
  } catch (error) {
    log.warn({ error }, 'Subscriptions could not be read from Stripe. The next attempt is tomorrow.');
  }
  await subscriptions.warnOfMissingPlans();
}

/** Lists the ids of paid sessions of this installation that are not settled, oldest first. */
async function unsettledSessions(
  { client, db, publicUrl }: ReconciliationOptions,
  since: Date,
): Promise<string[]> {
  const unsettled: string[] = [];
  let after: string | undefined;
  do {
    const { data } = await client.ask(listOf(stripeSession), (stripe) =>
      stripe.checkout.sessions.list({
        status: 'complete',
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: SESSION_PAGE_SIZE,
        ...(after === undefined ? {} : { starting_after: after }),
      }),
    );
    for (const session of data) {
      if (session.metadata?.winnow_site !== publicUrl() || !isPaid(session)) continue;
      if (!(await store.isProcessed(db, session.id))) unsettled.unshift(session.id);
    }
    after = data.length < SESSION_PAGE_SIZE ? undefined : data.at(-1)?.id;
  } while (after !== undefined);
  return unsettled;
}

/**
 * Runs `work` for each id in order. Logs and skips single failures. Throws after {@link
 * MAX_CONSECUTIVE_FAILURES} consecutive failures.
 */
async function forEach<T>(log: Log, ids: readonly T[], work: (id: T) => Promise<unknown>): Promise<void> {
  let failures = 0;
  for (const id of ids) {
    try {
      await work(id);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === MAX_CONSECUTIVE_FAILURES) throw error;
      log.warn(
        { error, id },
        'A subscription or payment could not be read from Stripe. The next attempt is tomorrow.',
      );
    }
  }
}

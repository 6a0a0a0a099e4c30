import { DAY_MS } from '../../platform/clock.ts';
import { dailyJob } from '../../platform/jobs/daily.ts';
import type { HandledJob } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../schema/tables.ts';
import { listOf, stripeSession } from './answers.ts';
import type { StripeClient } from './client.ts';
import { isPaid, type Payers } from './payers.ts';
import * as store from './store.ts';
import type { Subscriptions } from './subscriptions.ts';

const lookingAfter = dailyJob('look-after-billing');
/** Longer than sessions are looked back for, so that none is settled twice. */
const EVENTS_KEPT_DAYS = 30;
const SESSIONS_LOOKED_BACK_DAYS = 14;
const SESSIONS_AT_ONCE = 100;
/** What was read is read again after so long, and a day after its period has ended. */
const READ_AGAIN_DAYS = 3;
/** The rest comes the next day. */
const READ_A_DAY = 5_000;
/** Stripe is away when so many fail one after the other. */
const FAILURES_IN_A_ROW = 3;

export interface LookAfterOptions {
  db: Db;
  client: StripeClient;
  payers: Payers;
  subscriptions: Subscriptions;
  log: Log;
  now: () => Date;
  /** Where people reach this installation, which sessions that were made here name. */
  publicUrl: () => string;
}

export function handleLookAfter({ jobs, ...options }: LookAfterOptions & { jobs: Jobs }): HandledJob {
  return lookingAfter.handled({ jobs, now: options.now }, () => lookAfter(options));
}

export const resumeLookAfter = lookingAfter.resume;

/**
 * Finds what no webhook told: payments that nobody has settled, and subscriptions that are not any more what was read.
 * Where Stripe is away it stays for the next day. Forgets events that were carried out long ago, and tells the operator of
 * plans that are paid for and missing.
 */
async function lookAfter(options: LookAfterOptions): Promise<void> {
  const { db, log, now, payers, subscriptions } = options;
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS);
  await store.removeEventsBefore(db, daysAgo(EVENTS_KEPT_DAYS));
  try {
    const sessions = await unsettledSessions(options, daysAgo(SESSIONS_LOOKED_BACK_DAYS));
    await forEach(log, sessions, async (sessionId) => {
      await payers.settle(sessionId);
      await store.noteCarriedOut(db, sessionId, now());
    });
    const accounts = await store.accountsToRead(db, {
      readBefore: daysAgo(READ_AGAIN_DAYS),
      endedBefore: daysAgo(1),
      atMost: READ_A_DAY,
    });
    await forEach(log, accounts, (accountId) => subscriptions.sync(accountId, { keepUnknown: true }));
  } catch (error) {
    log.warn({ error }, 'Stripe could not be asked what is paid for. It is asked again tomorrow.');
  }
  await subscriptions.warnOfMissingPlans();
}

/** The sessions that were paid here since then and that nobody has settled, the oldest first. */
async function unsettledSessions(
  { client, db, publicUrl }: LookAfterOptions,
  since: Date,
): Promise<string[]> {
  const unsettled: string[] = [];
  let after: string | undefined;
  do {
    const { data } = await client.ask(listOf(stripeSession), (stripe) =>
      stripe.checkout.sessions.list({
        status: 'complete',
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: SESSIONS_AT_ONCE,
        ...(after === undefined ? {} : { starting_after: after }),
      }),
    );
    for (const session of data) {
      if (session.metadata?.winnow_site !== publicUrl() || !isPaid(session)) continue;
      if (!(await store.isCarriedOut(db, session.id))) unsettled.unshift(session.id);
    }
    after = data.length < SESSIONS_AT_ONCE ? undefined : data.at(-1)?.id;
  } while (after !== undefined);
  return unsettled;
}

/** Does something for each, one after the other. What fails is left; it throws where that is no matter of single ones. */
async function forEach<T>(log: Log, ids: readonly T[], work: (id: T) => Promise<unknown>): Promise<void> {
  let failures = 0;
  for (const id of ids) {
    try {
      await work(id);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === FAILURES_IN_A_ROW) throw error;
      log.warn({ error, id }, 'What was paid for could not be read from Stripe. It is tried again tomorrow.');
    }
  }
}

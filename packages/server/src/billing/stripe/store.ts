import type { PlanChange, WaitingChange } from '@winnow/contract/plan';
import { type QueryExecutorProvider, sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import type { SubscriptionTable } from '../../schema/billing-tables.ts';
import type { Db } from '../../schema/tables.ts';

/** State of a subscription as last read from Stripe. */
export interface SubscriptionState {
  subscription_id: string;
  plan_id: string | null;
  interval: SubscriptionTable['interval'];
  status: string;
  current_period_start: Date;
  /** Time at which the subscription renews, or ends if it is canceled. */
  current_period_end: Date;
  cancel_at_period_end: boolean;
  pending_change: PlanChange | null;
  waiting_change: WaitingChange | null;
}

/**
 * An account's customer at Stripe and its subscription. `subscription_id` is null if there is no
 * subscription.
 */
export interface SubscriptionRow {
  customer_id: string;
  subscription_id: string | null;
  plan_id: string | null;
  interval: SubscriptionTable['interval'];
  status: string | null;
  current_period_start: Date | null;
  current_period_end: Date | null;
  cancel_at_period_end: boolean;
  pending_change: PlanChange | null;
  waiting_change: WaitingChange | null;
}

/** Value of `read_at` for subscriptions that were never read from Stripe. */
const NEVER_READ = new Date(0);

const NO_SUBSCRIPTION = {
  subscription_id: null,
  plan_id: null,
  interval: null,
  status: null,
  current_period_start: null,
  current_period_end: null,
  cancel_at_period_end: false,
  pending_change: null,
  waiting_change: null,
} as const;

export async function findSubscription(db: Db, accountId: string): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('subscription')
    .select([
      'customer_id',
      'subscription_id',
      'plan_id',
      'interval',
      'status',
      'current_period_start',
      'current_period_end',
      'cancel_at_period_end',
      'pending_change',
      'waiting_change',
    ])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Returns the account that a Stripe customer pays for; null if there is none. */
export async function accountOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('subscription')
    .select('account_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/**
 * Returns the database's time with microseconds. All processes share this clock, so it orders
 * concurrent reads from Stripe.
 */
export async function databaseTime(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database returned no time.');
  return row.now;
}

/** Sets the customer of an account and clears the subscription of the previous customer. */
export async function setCustomer(db: Db, accountId: string, customerId: string): Promise<void> {
  const values = { customer_id: customerId, ...NO_SUBSCRIPTION };
  await db
    .insertInto('subscription')
    .values({ account_id: accountId, ...values, read_at: NEVER_READ })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...values, read_at: NEVER_READ }))
    .execute();
}

/** Deletes the stored customer of an account, because it does not exist at Stripe. */
export async function removeCustomer(db: Db, accountId: string, customerId: string): Promise<void> {
  await db
    .deleteFrom('subscription')
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .execute();
}

/**
 * Stores the state that Stripe returned for a request started at `readAt`. Does nothing if the
 * result of a later request is already stored. A null `reading` means that the customer has no
 * subscription.
 */
export async function saveSubscriptionState(
  db: Db,
  { accountId, customerId, readAt }: { accountId: string; customerId: string; readAt: string },
  reading: SubscriptionState | null,
): Promise<void> {
  const { pending_change, waiting_change, ...read } = reading ?? NO_SUBSCRIPTION;
  await db
    .updateTable('subscription')
    .set({
      ...read,
      pending_change: pending_change === null ? null : JSON.stringify(pending_change),
      waiting_change: waiting_change === null ? null : JSON.stringify(waiting_change),
      read_at: sql<Date>`${readAt}::timestamptz`,
    })
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`read_at < ${readAt}::timestamptz`)
    .execute();
}

/**
 * Locks an account id or an email address until the transaction ends. Concurrent payments of the
 * same payer are then processed one after another.
 */
export async function lockPayer(db: Db, of: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stripe ${of.toLowerCase()}`}, 0))`.execute(db);
}

export async function isProcessed(db: Db, eventId: string): Promise<boolean> {
  const row = await db.selectFrom('stripe_event').select('id').where('id', '=', eventId).executeTakeFirst();
  return row !== undefined;
}

export async function markProcessed(db: Db, eventId: string, now: Date): Promise<void> {
  await db
    .insertInto('stripe_event')
    .values({ id: eventId, received_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Deletes events received before `before`. */
export async function removeEventsBefore(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'stripe_event', sql<boolean>`received_at < ${before}`);
}

/**
 * Lists the accounts whose subscription must be read again: never read, read too long ago, or past
 * its period. Least recently read accounts come first.
 */
export async function accountsToRead(
  db: Db,
  { readBefore, endedBefore, atMost }: { readBefore: Date; endedBefore: Date; atMost: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('subscription')
    .select('account_id')
    .where(({ and, eb, or }) =>
      or([
        eb('read_at', '=', NEVER_READ),
        eb('current_period_end', '<', endedBefore),
        and([eb('subscription_id', 'is not', null), eb('read_at', '<', readBefore)]),
      ]),
    )
    .orderBy('read_at')
    .limit(atMost)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/**
 * Marks all subscriptions as never read. Call it after a backup was restored, because subscriptions
 * may have changed since.
 */
export async function markSubscriptionsUnread(db: QueryExecutorProvider): Promise<void> {
  await sql`update subscription set read_at = ${NEVER_READ}`.execute(db);
}

/** Lists accounts that have a subscription, with the plan id of each subscription. */
export async function paidPlans(db: Db): Promise<{ account_id: string; plan_id: string | null }[]> {
  return db
    .selectFrom('subscription')
    .select(['account_id', 'plan_id'])
    .where('subscription_id', 'is not', null)
    .execute();
}

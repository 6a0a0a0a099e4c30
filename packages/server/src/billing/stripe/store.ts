import type { PlanChange, WaitingChange } from '@winnow/contract/plan';
import { type QueryExecutorProvider, sql } from 'kysely';
import { deleteInBatches } from '../../platform/batched-delete.ts';
import type { SubscriptionTable } from '../../schema/billing-tables.ts';
import type { Db } from '../../schema/tables.ts';

/** What Stripe said of a subscription. */
export interface Reading {
  subscription_id: string;
  plan_id: string | null;
  interval: SubscriptionTable['interval'];
  status: string;
  current_period_start: Date;
  /** When it is renewed, or when it ends. */
  current_period_end: Date;
  cancel_at_period_end: boolean;
  pending_change: PlanChange | null;
  waiting_change: WaitingChange | null;
}

/** Who pays for an account, and for what; a `subscription_id` of null: for nothing. */
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

/** When something was read that nobody has read yet. */
const NEVER = new Date(0);

const NOTHING = {
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

/** The account that a customer of Stripe pays for. */
export async function accountOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('subscription')
    .select('account_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** The database's time to the microsecond, which all processes share: readings are told apart by when they were begun. */
export async function timeOfDatabase(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database told no time.');
  return row.now;
}

/** Has a customer pay for an account from now on; what is known of another one's subscription is forgotten. */
export async function setCustomer(db: Db, accountId: string, customerId: string): Promise<void> {
  const values = { customer_id: customerId, ...NOTHING };
  await db
    .insertInto('subscription')
    .values({ account_id: accountId, ...values, read_at: NEVER })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...values, read_at: NEVER }))
    .execute();
}

/** Forgets a customer that there is no more at Stripe. */
export async function removeCustomer(db: Db, accountId: string, customerId: string): Promise<void> {
  await db
    .deleteFrom('subscription')
    .where('account_id', '=', accountId)
    .where('customer_id', '=', customerId)
    .execute();
}

/**
 * Keeps what Stripe said in answer to a question asked at `readAt`, unless a later question was answered already. Null:
 * the customer has no subscription.
 */
export async function keepReading(
  db: Db,
  { accountId, customerId, readAt }: { accountId: string; customerId: string; readAt: string },
  reading: Reading | null,
): Promise<void> {
  const { pending_change, waiting_change, ...read } = reading ?? NOTHING;
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

/** Lets one transaction at a time decide who pays, for an account or an e-mail address. */
export async function lockPayer(db: Db, of: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stripe ${of.toLowerCase()}`}, 0))`.execute(db);
}

export async function isCarriedOut(db: Db, eventId: string): Promise<boolean> {
  const row = await db.selectFrom('stripe_event').select('id').where('id', '=', eventId).executeTakeFirst();
  return row !== undefined;
}

export async function noteCarriedOut(db: Db, eventId: string, now: Date): Promise<void> {
  await db
    .insertInto('stripe_event')
    .values({ id: eventId, received_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Forgets events that were received before. */
export async function removeEventsBefore(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'stripe_event', sql<boolean>`received_at < ${before}`);
}

/**
 * The accounts of which is to be read again what they pay for: read so long ago, or with a period that has ended, or never
 * read. Those that were read longest ago come first.
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
        eb('read_at', '=', NEVER),
        eb('current_period_end', '<', endedBefore),
        and([eb('subscription_id', 'is not', null), eb('read_at', '<', readBefore)]),
      ]),
    )
    .orderBy('read_at')
    .limit(atMost)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Has all be read again that was read before: what a backup says may have changed since. */
export async function forgetReadings(db: QueryExecutorProvider): Promise<void> {
  await sql`update subscription set read_at = ${NEVER}`.execute(db);
}

/** Every account that pays for a plan, with its id. */
export async function paidPlans(db: Db): Promise<{ account_id: string; plan_id: string | null }[]> {
  return db
    .selectFrom('subscription')
    .select(['account_id', 'plan_id'])
    .where('subscription_id', 'is not', null)
    .execute();
}

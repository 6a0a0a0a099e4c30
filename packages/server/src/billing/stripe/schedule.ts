import { type BillingInterval, billingInterval } from '@winnow/contract/plan';
import { z } from 'zod';
import type { StripeClient } from './client.ts';
import { planIdFromMetadata, planMetadata } from './prices.ts';
import {
  type StripeSchedule,
  type StripeSubscription,
  stripeObject,
  stripeSchedule,
  stripeSubscription,
} from './schemas.ts';

/** A plan that a subscription is scheduled to change to. */
export interface ScheduledPlan {
  plan: { id: string };
  price: { id: string };
  interval: BillingInterval;
}

/**
 * Returns the plan that a subscription is scheduled to change to. Null if no change to one of our
 * plans is scheduled.
 */
export function scheduledPlanOf({ schedule }: StripeSubscription): (ScheduledPlan & { at: Date }) | null {
  const present = schedule?.current_phase ?? null;
  if (schedule === null || present === null || schedule.end_behavior !== 'release') return null;
  const next = schedule.phases.find(({ start_date }) => start_date >= present.end_date);
  const metadata = next?.metadata ?? {};
  const item = next?.items.find(({ price }) => planIdFromMetadata(metadata, price) !== null);
  const planId = item === undefined ? null : planIdFromMetadata(metadata, item.price);
  const interval = billingInterval.safeParse(metadata.winnow_interval);
  if (next === undefined || item === undefined || planId === null || !interval.success) return null;
  const at = new Date(next.start_date * 1000);
  return { plan: { id: planId }, price: { id: item.price }, interval: interval.data, at };
}

/**
 * Schedules a price change for the end of the paid period. Nothing is charged or refunded before.
 * The subscription must have no schedule, and it must not be canceled. Calls with the same
 * `idempotencyKey` create only one schedule.
 */
export async function changeAtPeriodEnd(
  client: StripeClient,
  subscription: StripeSubscription,
  scheduled: ScheduledPlan,
  idempotencyKey?: string,
): Promise<void> {
  const options = idempotencyKey === undefined ? {} : { idempotencyKey };
  const schedule = await client.ask(stripeSchedule, (stripe) =>
    stripe.subscriptionSchedules.create({ from_subscription: subscription.id }, options),
  );
  await fillIn(client, schedule, subscription, scheduled);
}

/**
 * Adds a phase to a schedule, so that the price changes when the current phase ends. Safe to
 * repeat.
 */
async function fillIn(
  client: StripeClient,
  schedule: StripeSchedule,
  { item }: StripeSubscription,
  { plan, price, interval }: ScheduledPlan,
): Promise<void> {
  const present = presentPhase(schedule);
  const discounts = present.discounts.flatMap(({ discount }) => (discount === null ? [] : [{ discount }]));
  const kept = { discounts, proration_behavior: 'none' as const };
  await client.ask(stripeObject, (stripe) =>
    stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      proration_behavior: 'none',
      phases: [
        { ...kept, items: present.items, start_date: present.start_date, end_date: present.end_date },
        {
          ...kept,
          items: present.items.map((one) =>
            one.price === item.price.id ? { ...one, price: price.id } : one,
          ),
          duration: { interval, interval_count: 1 },
          // Stripe copies this metadata to the subscription when the phase begins.
          metadata: { ...planMetadata(plan, price), winnow_interval: interval },
        },
      ],
    }),
  );
}

/** Metadata key that stores a scheduled plan while its schedule is released for another change. */
const SCHEDULED_PLAN_KEY = 'winnow_to_come';
/**
 * Age in milliseconds after which a stored scheduled plan is considered abandoned by a crashed
 * process. A plan change takes only seconds.
 */
const ABANDONED_AFTER_MS = 120_000;

const scheduledPlanNote = z.object({
  plan: z.object({ id: z.string() }),
  price: z.object({ id: z.string() }),
  interval: billingInterval,
  noted_at: z.iso.datetime(),
});

/**
 * Returns the metadata that stores a scheduled plan. If `scheduled` is null, returns the metadata
 * that deletes it.
 */
export function scheduledPlanMetadata(scheduled: ScheduledPlan | null, now: Date): Record<string, string> {
  if (scheduled === null) return { [SCHEDULED_PLAN_KEY]: '' };
  const { plan, price, interval } = scheduled;
  const note = { plan: { id: plan.id }, price: { id: price.id }, interval, noted_at: now.toISOString() };
  return { [SCHEDULED_PLAN_KEY]: JSON.stringify(note) };
}

/** Returns the scheduled plan that a subscription's metadata stores; null if there is none. */
export function scheduledPlanFromMetadata({
  metadata,
}: StripeSubscription): (ScheduledPlan & { notedAt: Date }) | null {
  const text = metadata[SCHEDULED_PLAN_KEY];
  if (text === undefined) return null;
  const { noted_at: notedAt, ...scheduled } = scheduledPlanNote.parse(JSON.parse(text));
  return { ...scheduled, notedAt: new Date(notedAt) };
}

export async function storeScheduledPlan(
  client: StripeClient,
  { id }: StripeSubscription,
  scheduled: ScheduledPlan | null,
  now: Date,
): Promise<StripeSubscription> {
  return client.ask(stripeSubscription, (stripe) =>
    stripe.subscriptions.update(id, {
      metadata: scheduledPlanMetadata(scheduled, now),
      expand: ['schedule'],
    }),
  );
}

/**
 * Restores a scheduled change that was lost in a crash. The process had released the schedule, and
 * crashed before it finished another plan change. Returns the updated subscription; null if there
 * is nothing to restore. Safe to repeat.
 */
export async function resumeScheduledChange(
  client: StripeClient,
  subscription: StripeSubscription,
  now: Date,
): Promise<StripeSubscription | null> {
  const noted = scheduledPlanFromMetadata(subscription);
  if (noted === null || now.getTime() - noted.notedAt.getTime() < ABANDONED_AFTER_MS) return null;
  const { cancel_at, cancel_at_period_end, item } = subscription;
  const isEnding = cancel_at_period_end || cancel_at !== null;
  const isOn = item.price.id === noted.price.id;
  if (!isEnding && !isOn && scheduledPlanOf(subscription) === null) {
    // Keeps an existing schedule, even if it lacks our change: another process may be about to add
    // the change. The idempotency key makes concurrent processes create only one schedule.
    const key = `winnow:resume:${subscription.id}:${noted.notedAt.toISOString()}`;
    if (subscription.schedule !== null) await fillIn(client, subscription.schedule, subscription, noted);
    else await changeAtPeriodEnd(client, subscription, noted, key);
  }
  return storeScheduledPlan(client, subscription, null, now);
}

/**
 * Detaches the schedule from a subscription. The subscription continues unchanged, and can be
 * changed and canceled.
 */
export async function release(client: StripeClient, { schedule }: StripeSubscription): Promise<void> {
  if (schedule === null) return;
  // Without the idempotency key, Stripe would refuse the second of two concurrent releases.
  const options = { idempotencyKey: `winnow:release:${schedule.id}` };
  await client.ask(stripeObject, (stripe) => stripe.subscriptionSchedules.release(schedule.id, {}, options));
}

function presentPhase({ current_phase, phases }: StripeSchedule) {
  const present = phases.find(({ start_date }) => start_date === current_phase?.start_date);
  if (present === undefined) throw new Error('The schedule of a subscription has no current phase.');
  return present;
}

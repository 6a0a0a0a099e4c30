import { type BillingInterval, billingInterval } from '@winnow/contract/plan';
import { type StripeSchedule, type StripeSubscription, stripeObject, stripeSchedule } from './answers.ts';
import type { StripeClient } from './client.ts';
import { notedPlan, noteOf } from './prices.ts';

/** A plan that a subscription is still to be on. */
export interface PlanToCome {
  plan: { id: string };
  price: { id: string };
  interval: BillingInterval;
}

/** The plan that a subscription's schedule has to come; null where none of ours has. */
export function planToCome({ schedule }: StripeSubscription): (PlanToCome & { at: Date }) | null {
  const present = schedule?.current_phase ?? null;
  if (schedule === null || present === null || schedule.end_behavior !== 'release') return null;
  const next = schedule.phases.find(({ start_date }) => start_date >= present.end_date);
  const metadata = next?.metadata ?? {};
  const item = next?.items.find(({ price }) => notedPlan(metadata, price) !== null);
  const planId = item === undefined ? null : notedPlan(metadata, item.price);
  const interval = billingInterval.safeParse(metadata.winnow_interval);
  if (next === undefined || item === undefined || planId === null || !interval.success) return null;
  const at = new Date(next.start_date * 1000);
  return { plan: { id: planId }, price: { id: item.price }, interval: interval.data, at };
}

/**
 * Has a subscription change its price when the period that is paid has ended; nothing is charged or given back before. It
 * is under no schedule yet, and not about to end.
 */
export async function changeAtPeriodEnd(
  client: StripeClient,
  { id, item }: StripeSubscription,
  { plan, price, interval }: PlanToCome,
): Promise<void> {
  const schedule = await client.ask(stripeSchedule, (stripe) =>
    stripe.subscriptionSchedules.create({ from_subscription: id }),
  );
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
          // What a phase notes is noted at the subscription when it begins.
          metadata: { ...noteOf(plan, price), winnow_interval: interval },
        },
      ],
    }),
  );
}

/** Takes a subscription out of its schedule: it goes on as it is, and can be changed and ended again. */
export async function release(client: StripeClient, { schedule }: StripeSubscription): Promise<void> {
  if (schedule === null) return;
  // Two may see at once that it has to go, and Stripe refuses the second.
  const options = { idempotencyKey: `winnow:release:${schedule.id}` };
  await client.ask(stripeObject, (stripe) => stripe.subscriptionSchedules.release(schedule.id, {}, options));
}

function presentPhase({ current_phase, phases }: StripeSchedule) {
  const present = phases.find(({ start_date }) => start_date === current_phase?.start_date);
  if (present === undefined) throw new Error('The schedule of a subscription has no present phase.');
  return present;
}

import { billingInterval, type PlanChange } from '@winnow/contract/plan';
import { type StripeSchedule, type StripeSubscription, stripeObject, stripeSchedule } from './answers.ts';
import type { Offer } from './checkout.ts';
import type { StripeClient } from './client.ts';
import { notedPlan, noteOf } from './prices.ts';

/** The change of plan that a subscription's schedule has to come; null where none of ours has. */
export function pendingChangeOf({ schedule }: StripeSubscription): PlanChange | null {
  const present = schedule?.current_phase ?? null;
  if (schedule === null || present === null || schedule.end_behavior !== 'release') return null;
  const next = schedule.phases.find(({ start_date }) => start_date >= present.end_date);
  const metadata = next?.metadata ?? {};
  const planId = next?.items.map(({ price }) => notedPlan(metadata, price)).find((noted) => noted !== null);
  const interval = billingInterval.safeParse(metadata.winnow_interval);
  if (next === undefined || planId === undefined || planId === null || !interval.success) return null;
  return { plan_id: planId, interval: interval.data, at: new Date(next.start_date * 1000).toISOString() };
}

/**
 * Has a subscription change its price when the period that is paid has ended; nothing is charged or given back before. It
 * is under no schedule yet, and not about to end.
 */
export async function changeAtPeriodEnd(
  client: StripeClient,
  { id, item }: StripeSubscription,
  { plan, price, interval }: Offer,
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
  await client.ask(stripeObject, (stripe) => stripe.subscriptionSchedules.release(schedule.id));
}

function presentPhase({ current_phase, phases }: StripeSchedule) {
  const present = phases.find(({ start_date }) => start_date === current_phase?.start_date);
  if (present === undefined) throw new Error('The schedule of a subscription has no present phase.');
  return present;
}

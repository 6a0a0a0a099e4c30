import type { Interval, Price, Schedule, SchedulePhase, Subscription } from './model.ts';
import { newPhase, newSchedule, periodEnd } from './objects.ts';
import type { Params } from './params.ts';
import { itemOf } from './store.ts';
import { invalidRequest } from './stripe-error.ts';
import type { Host } from './subscriptions.ts';

/** Creates a schedule for a subscription. Its only phase is the current period. */
export function scheduleFrom({ store, webhooks }: Host, subscription: Subscription): Schedule {
  if (subscription.schedule !== null) {
    throw invalidRequest(
      `You cannot migrate a subscription that is already attached to a schedule: ${String(subscription.schedule)}.`,
    );
  }
  const { current_period_end: end_date, current_period_start: start_date, price } = itemOf(subscription);
  const phase = newPhase({ price, start_date, end_date, metadata: subscription.metadata });
  const ends = subscription.cancel_at_period_end ? 'cancel' : 'release';
  const schedule = newSchedule(store.nowS, subscription, phase, ends);
  store.schedules.set(schedule.id, schedule);
  subscription.schedule = schedule.id;
  webhooks.emit('subscription_schedule.created', schedule);
  webhooks.emit('customer.subscription.updated', subscription);
  return schedule;
}

/** Replaces the phases of a schedule. The current phase must keep its start. */
export function reschedule({ store, webhooks }: Host, schedule: Schedule, params: Params): void {
  refuseOver(schedule, 'update', 'updated');
  const ends = params.oneOf('end_behavior', ['release', 'cancel']);
  const proration = params.oneOf('proration_behavior', ['none', 'create_prorations', 'always_invoice']);
  const asked = params.objects('phases');
  params.refuseUnknown();
  const phases: SchedulePhase[] = [];
  for (const phase of asked) {
    const [line, ...others] = phase.objects('items');
    if (line === undefined || others.length > 0) throw invalidRequest('The emulator supports only one item.');
    const price = store.price(line.required('price'), 'phases[items][0][price]');
    const start_date = phases.at(-1)?.end_date ?? phase.number('start_date') ?? 0;
    const duration = phase.object('duration');
    const interval: Interval = duration.oneOf('interval', ['month', 'year']) ?? 'month';
    const end_date = phase.number('end_date') ?? periodEnd(start_date, interval);
    const behavior = phase.oneOf('proration_behavior', ['none', 'create_prorations', 'always_invoice']);
    if (proration !== 'none' || behavior !== 'none')
      throw invalidRequest('The emulator does not support proration of phases.');
    phases.push(newPhase({ price, start_date, end_date, metadata: phase.map('metadata') }));
    phase.refuseUnknown();
  }
  const [present] = phases;
  if (present !== undefined && present.start_date !== schedule.current_phase?.start_date) {
    throw invalidRequest('You can not modify the start date of the current phase.');
  }
  if (ends !== null) schedule.end_behavior = ends;
  if (present !== undefined) {
    schedule.phases = phases;
    schedule.current_phase = { start_date: present.start_date, end_date: present.end_date };
  }
  webhooks.emit('subscription_schedule.updated', schedule);
}

/** Separates a schedule from its subscription. The subscription then continues unchanged. */
export function releaseSchedule({ store, webhooks }: Host, schedule: Schedule): void {
  refuseOver(schedule, 'release', 'released');
  const subscription = store.subscription(String(schedule.subscription));
  const released = { released_at: store.nowS, released_subscription: subscription.id };
  Object.assign(schedule, { status: 'released', current_phase: null, subscription: null, ...released });
  subscription.schedule = null;
  webhooks.emit('subscription_schedule.released', schedule);
  webhooks.emit('customer.subscription.updated', subscription);
}

/** Cancels the schedule of a subscription that has ended. */
export function endSchedule({ store, webhooks }: Host, subscription: Subscription): void {
  const schedule = store.scheduleOf(subscription);
  if (schedule === null) return;
  Object.assign(schedule, { status: 'canceled', canceled_at: store.nowS, current_phase: null });
  webhooks.emit('subscription_schedule.canceled', schedule);
}

/**
 * Returns the phase that starts at the end of the current period. Null if the subscription
 * continues unchanged. If the schedule has no further phase, releases it.
 */
export function nextPhase(host: Host, subscription: Subscription): { price: Price } | null {
  const schedule = host.store.scheduleOf(subscription);
  const present = schedule?.current_phase ?? null;
  if (schedule === null || present === null) return null;
  if (itemOf(subscription).current_period_end < present.end_date) return null;
  const next = schedule.phases.find(({ start_date }) => start_date === present.end_date);
  if (next === undefined) {
    releaseSchedule(host, schedule);
    return null;
  }
  schedule.current_phase = { start_date: next.start_date, end_date: next.end_date };
  Object.assign(subscription.metadata, next.metadata);
  host.webhooks.emit('subscription_schedule.updated', schedule);
  return { price: host.store.price(String(next.items[0]?.price)) };
}

/**
 * Rejects changes of price and end for a subscription with a schedule. They must be made in the
 * schedule.
 */
export function refuseScheduled({ schedule }: Subscription, params: Params): void {
  if (schedule === null) return;
  if (params.has('cancel_at_period_end') || params.has('cancel_at')) {
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${String(schedule)}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  }
  if (params.has('items'))
    throw invalidRequest('The emulator does not support price changes outside a schedule.');
}

function refuseOver({ status }: Schedule, what: string, done: string): void {
  if (status === 'active') return;
  throw invalidRequest(
    `You cannot ${what} a subscription schedule that is currently in the \`${status}\` status. It must be in \`not_started\`, \`active\` status to be ${done}.`,
  );
}

import type { FlowEvent } from '@winnow/contract/flow';
import { DAY_MS } from '../../platform/clock.ts';

/** Hour in UTC at which scheduled flows start. Weekly flows start on Mondays. */
const START_HOUR_UTC = 6;
const MONDAY = 1;

/** Trigger events of scheduled flows. */
export const CLOCK_EVENTS = ['every_day', 'every_week'] as const satisfies FlowEvent[];
export type ClockEvent = (typeof CLOCK_EVENTS)[number];

/** Returns the latest scheduled time, at or before `now`, for flows with this event. */
export function lastSlot(event: ClockEvent, now: Date): Date {
  const slot = new Date(now);
  slot.setUTCHours(START_HOUR_UTC, 0, 0, 0);
  if (slot > now) slot.setTime(slot.getTime() - DAY_MS);
  if (event === 'every_week') {
    const daysSince = (slot.getUTCDay() - MONDAY + 7) % 7;
    slot.setTime(slot.getTime() - daysSince * DAY_MS);
  }
  return slot;
}

/** Returns the next scheduled time after `now`. */
export function nextSlot(now: Date): Date {
  return new Date(lastSlot('every_day', now).getTime() + DAY_MS);
}

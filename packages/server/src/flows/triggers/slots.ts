import type { FlowEvent } from '@winnow/contract/flow';
import { DAY_MS } from '../../platform/clock.ts';

/** Flows that the clock starts are started at this hour of UTC, those of every week on Mondays. */
const HOUR = 6;
const MONDAY = 1;

/** What the clock starts flows by. */
export const CLOCK_EVENTS = ['every_day', 'every_week'] as const satisfies FlowEvent[];
export type ClockEvent = (typeof CLOCK_EVENTS)[number];

/** The latest time at which flows of this event were to be started. */
export function lastSlot(event: ClockEvent, now: Date): Date {
  const slot = new Date(now);
  slot.setUTCHours(HOUR, 0, 0, 0);
  if (slot > now) slot.setTime(slot.getTime() - DAY_MS);
  if (event === 'every_week') {
    const daysSince = (slot.getUTCDay() - MONDAY + 7) % 7;
    slot.setTime(slot.getTime() - daysSince * DAY_MS);
  }
  return slot;
}

/** The next time at which flows may be to be started, later than now. */
export function nextSlot(now: Date): Date {
  return new Date(lastSlot('every_day', now).getTime() + DAY_MS);
}

/** Flows that the clock starts are started at this hour of UTC, those of every week on Mondays. */
const HOUR = 6;
const MONDAY = 1;
const DAY_MS = 24 * 60 * 60_000;

/** The latest time at which flows of this event were to be started. */
export function lastSlot(event: 'every_day' | 'every_week', now: Date): Date {
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

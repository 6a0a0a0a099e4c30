export const DAY_MS = 24 * 60 * 60_000;

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

const utcDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a date without a time, such as `2026-10-24`. */
export function dayText(date: string): string {
  return utcDay.format(new Date(`${date}T00:00:00Z`));
}

/** Formats a time as a date in the user's time zone. */
export function dateText(instant: Date): string {
  return day.format(instant);
}

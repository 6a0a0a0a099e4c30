import { DAY_MS } from '../platform/clock.ts';

/** Returns the day of an instant in UTC, such as `2030-01-31`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** Returns the day `days` days later; an earlier day if `days` is negative. */
export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS));
}

/** Returns the number of days from `from` to `to`, both included. */
export function daysFrom(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** Returns every day from `from` to `to`, both included. */
export function everyDay(from: string, to: string): string[] {
  return Array.from({ length: daysFrom(from, to) }, (_, index) => addDays(from, index));
}

/** Returns the first and the last day of the calendar month that contains `day`. */
export function monthOf(day: string): { from: string; to: string } {
  const month = day.slice(0, 7);
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { from: `${month}-01`, to: dayOf(new Date(Date.UTC(year, number, 0))) };
}

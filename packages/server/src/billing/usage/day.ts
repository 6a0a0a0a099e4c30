import { DAY_MS } from '../../platform/clock.ts';

/** The day of an instant, in UTC: `2030-01-31`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The day so many days later, or earlier. */
export function addDays(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS));
}

/** How many days there are from one to another, both counted. */
export function daysFrom(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/** Every day from one to another. */
export function everyDay(from: string, to: string): string[] {
  return Array.from({ length: daysFrom(from, to) }, (_, index) => addDays(from, index));
}

/** The calendar month that a day is in. */
export function monthOf(day: string): { from: string; to: string } {
  const month = day.slice(0, 7);
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { from: `${month}-01`, to: dayOf(new Date(Date.UTC(year, number, 0))) };
}

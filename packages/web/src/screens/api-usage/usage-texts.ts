import type { ModelCalls } from '@winnow/contract/usage';

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const smallMoney = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayInFull = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats a duration, such as `0.5 ms`, `42 ms` or `1.2 s`. Null reads as a dash. */
export function durationText(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
}

/**
 * Formats an amount of US dollars with two decimals. An amount below a cent has two significant
 * digits.
 */
export function costText(cost: number): string {
  return cost > 0 && cost < 0.01 ? smallMoney.format(cost) : money.format(cost);
}

/** Formats the cost of AI calls. Calls without a known price are not included. */
export function costOf({
  cost,
  calls,
  unpriced_calls,
}: Pick<ModelCalls, 'cost' | 'calls' | 'unpriced_calls'>): string {
  if (unpriced_calls === 0) return costText(cost);
  return unpriced_calls === calls ? 'Unknown' : `At least ${costText(cost)}`;
}

/** Formats a large number in compact form, such as `3.3M`. */
export function compactText(count: number): string {
  return compact.format(count);
}

/** Formats a day as `Mar 1`. */
export function dayText(day: string): string {
  return dayOfYear.format(new Date(day));
}

/** Formats a day as `Mar 1, 2026`. */
export function fullDayText(day: string): string {
  return dayInFull.format(new Date(day));
}

/** Formats the month of a day as `March 2026`. */
export function monthText(day: string): string {
  return month.format(new Date(day));
}

/**
 * Formats a part of a whole as a percentage, such as `2.5%`. A partial share is never rounded to 0%
 * or 100%.
 */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  if (percent < 100 && percent > 99.9) return '>99.9%';
  return `${percent.toFixed(percent < 10 && percent > 0 ? 1 : 0)}%`;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const MONTH_SECONDS = 30 * DAY_SECONDS;
const YEAR_SECONDS = 365 * DAY_SECONDS;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' });
const absolute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/**
 * Formats the difference between two times in the largest whole unit, such as "12 minutes ago".
 * Differences below 45 seconds, in the past or the future, become "just now", because clocks
 * differ.
 */
export function relativeTimeText(atMs: number, nowMs: number): string {
  const seconds = (atMs - nowMs) / 1000;
  const size = Math.abs(seconds);
  if (size < 45) return 'just now';
  const step = (unit: Intl.RelativeTimeFormatUnit, length: number) =>
    words.format(Math.sign(seconds) * Math.max(1, Math.floor(size / length)), unit);
  if (size < HOUR_SECONDS) return step('minute', MINUTE_SECONDS);
  if (size < DAY_SECONDS) return step('hour', HOUR_SECONDS);
  if (size < MONTH_SECONDS) return step('day', DAY_SECONDS);
  if (size < YEAR_SECONDS) return step('month', MONTH_SECONDS);
  return step('year', YEAR_SECONDS);
}

/** Formats date and time in the user's time zone. */
export function absoluteTimeText(atMs: number): string {
  return absolute.format(atMs);
}

/** Formats date and time with seconds in the user's time zone. */
export function exactTimeText(atMs: number): string {
  return exact.format(atMs);
}

/** Formats a duration, such as `0.4 s`, `12 s`, `2 min 5 s` or `1 h 3 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < MINUTE_SECONDS) return `${whole} s`;
  if (whole < HOUR_SECONDS) return `${Math.floor(whole / MINUTE_SECONDS)} min ${whole % MINUTE_SECONDS} s`;
  return `${Math.floor(whole / HOUR_SECONDS)} h ${Math.floor((whole % HOUR_SECONDS) / MINUTE_SECONDS)} min`;
}

/**
 * Source of the current time for application code, which tests can replace. Log timestamps,
 * measured durations and `now()` in SQL use the system's clock.
 */
export interface Clock {
  /** Returns the current time. */
  now(): Date;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The system clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Source of the current time. Nothing else reads the clock, so tests can set the time. */
export interface Clock {
  /** Returns the current time. */
  now(): Date;
}

export const DAY_MS = 24 * 60 * 60_000;

/** The system clock. */
export const systemClock: Clock = { now: () => new Date() };

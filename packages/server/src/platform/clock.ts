/** Where the time comes from. Nothing else reads the clock, so a test can decide what time it is. */
export interface Clock {
  /** This instant. */
  now(): Date;
}

export const DAY_MS = 24 * 60 * 60_000;

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

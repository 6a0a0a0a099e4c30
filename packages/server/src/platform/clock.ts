/** Where the time comes from. Nothing else reads the clock, so a test can decide what time it is. */
export interface Clock {
  /** This instant. */
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

import { createLimiter } from '../../platform/limiter.ts';

export const START = new Date('2024-05-01T12:00:00Z');

/** A clock that an emulator and its providers share, for use by tests. */
export interface EmulatedClock {
  clock: { now(): Date; pass(ms: number): void };
  /**
   * Delays in ms that clients have waited before retries. Waiting takes no real time: it only
   * advances the clock.
   */
  waits: number[];
  logLines: unknown[];
}

/**
 * Creates a clock that advances only if a test advances it, or if a client waits. `given` contains
 * the options for providers that use this clock.
 */
export function emulatedClock(start = START) {
  let nowMs = start.getTime();
  const clock = {
    now: () => new Date(nowMs),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
  const waits: number[] = [];
  const logLines: unknown[] = [];
  const seen: EmulatedClock = { clock, waits, logLines };
  const given = {
    clock,
    limiter: createLimiter({ concurrency: 4, now: () => nowMs }),
    log: { warn: (fields: object, message: string) => void logLines.push({ ...fields, message }) },
    async sleep(ms: number, signal: AbortSignal) {
      signal.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
    random: () => 1,
  };
  return { seen, given };
}

import { createLimiter } from '../../platform/limiter.ts';

export const START = new Date('2024-05-01T12:00:00Z');

/** The clock shared by an emulator and its providers, as used by tests. */
export interface EmulatedClock {
  clock: { now(): Date; pass(ms: number): void };
  /** Delays in ms before retries. Waiting advances the clock and takes no real time. */
  waits: number[];
  logLines: unknown[];
}

/**
 * Creates a clock that advances only when a test or a wait advances it. `given` contains options
 * for providers that use it.
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

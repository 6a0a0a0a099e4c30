import { createLimiter } from '../../platform/limiter.ts';

export const START = new Date('2024-05-01T12:00:00Z');

/** What a test sees of the clock that an emulator and the providers of it go by. */
export interface EmulatedClock {
  clock: { now(): Date; pass(ms: number): void };
  /** How long a provider has waited before asking again, in ms; waiting moves the clock and takes no time. */
  waits: number[];
  logLines: unknown[];
}

/** A clock that only tests and waiting move; `given` is what every provider takes that goes by it. */
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

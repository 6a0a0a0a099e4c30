import { setTimeout as pause } from 'node:timers/promises';

/** After so long a call answers with what there is; the rest follows over the live channel. */
export const ANSWER_AFTER_MS = 2_000;

/** Has work done that is told by `late` when this time is over; what it does then is its own choice. */
export async function within<T>(timeMs: number, work: (late: Promise<void>) => Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = pause(timeMs, undefined, { signal: done.signal }).catch((error: unknown) => {
    if (!done.signal.aborted) throw error;
  });
  try {
    return await work(late);
  } finally {
    done.abort();
  }
}

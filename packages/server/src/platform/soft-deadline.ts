import { setTimeout as pause } from 'node:timers/promises';

/**
 * Time after which a request responds with partial results. Further results follow over the live
 * channel.
 */
export const RESPOND_AFTER_MS = 2_000;

/**
 * Runs `work` and resolves `late` after `timeMs`, without stopping the work. `work` decides how to
 * react to `late`.
 */
export async function withSoftDeadline<T>(
  timeMs: number,
  work: (late: Promise<void>) => Promise<T>,
): Promise<T> {
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

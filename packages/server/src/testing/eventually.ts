import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `read` repeatedly until its result is not null, undefined or false. Returns that result.
 * Use it to wait for state that no event reports.
 *
 * @throws {Error} after `timeoutMs`; its cause is the last error that `read` threw, if any
 */
export async function eventually<T>(
  read: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  { timeoutMs = 40_000, what = 'it' }: { timeoutMs?: number; what?: string } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let failure: unknown;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    try {
      const answer = await read();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`, { cause: failure });
    }
    await pause(pauseMs);
  }
}

import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `read` repeatedly until it returns something other than null, undefined or false, and
 * returns that. For state that no event reports. If `read` threw, its last error is the cause of
 * the failure.
 *
 * @throws {Error} after `timeoutMs`
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

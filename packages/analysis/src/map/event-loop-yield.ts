import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

/** Maximum time in milliseconds that long work blocks the event loop. */
const MAX_UNYIELDED_MS = 25;

/**
 * Returns a function that yields to the event loop if the last yield was {@link MAX_UNYIELDED_MS}
 * or more ago. Long work must call it every few milliseconds.
 */
export function createYield(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < MAX_UNYIELDED_MS) return;
    await nextEventLoopTurn();
    began = performance.now();
  };
}

import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

/** Time after which long work yields to other work of the thread, in milliseconds. */
const MAX_UNYIELDED_MS = 25;

/**
 * Returns a function that yields to other work if that has waited for {@link MAX_UNYIELDED_MS}.
 * Long work must call it every few milliseconds.
 */
export function createYield(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < MAX_UNYIELDED_MS) return;
    await nextEventLoopTurn();
    began = performance.now();
  };
}

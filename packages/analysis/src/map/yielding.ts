import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time after which long work yields to other work of the thread, in milliseconds. */
const MAP_TURN_MS = 25;

/**
 * Returns a function that yields to other work when it is time. Long work must call it every few
 * milliseconds.
 */
export function takingTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < MAP_TURN_MS) return;
    await nextTurn();
    began = performance.now();
  };
}

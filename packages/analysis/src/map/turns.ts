import { setImmediate as nextTurn } from 'node:timers/promises';

/** After this many milliseconds other work of the thread has its turn. */
const TURN_MS = 25;

/** For long work: answers a call that waits for other work when it is time to, to be made every few milliseconds. */
export function takingTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN_MS) return;
    await nextTurn();
    began = performance.now();
  };
}

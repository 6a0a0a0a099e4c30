/**
 * Maximum messages in a burst (`max`), and the time in which this allowance is refilled (`perMs`).
 */
export type MessageBudgetOptions = { max: number; perMs: number };

/**
 * Creates a token bucket: `take` returns true for at most `max` messages in a burst, and `max` more
 * per `perMs`.
 */
export function createMessageBudget(options: MessageBudgetOptions, now: () => number): { take(): boolean } {
  let left = options.max;
  let refilledAtMs = now();
  return {
    take() {
      const atMs = now();
      left = Math.min(options.max, left + ((atMs - refilledAtMs) * options.max) / options.perMs);
      refilledAtMs = atMs;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/**
 * Rate limit: at most `max` messages in a burst. The budget refills by `max` messages per `perMs`
 * milliseconds.
 */
export type MessageBudgetOptions = { max: number; perMs: number };

/** Creates a token bucket. `take` uses up one message and returns false if no message is left. */
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

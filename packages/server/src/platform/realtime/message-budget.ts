/** So many messages at once, refilled evenly over `perMs`. */
export type MessageBudgetOptions = { max: number; perMs: number };

/** Says yes to at most `max` messages in any burst, and to `max` more for each `perMs` that passes (a token bucket). */
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

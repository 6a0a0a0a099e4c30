/**
 * Runs `task` for every item in order, at most `width` at a time, and resolves when all are done.
 * Tasks should handle their own errors: a rejection stops its lane and rejects the call.
 */
export async function runLimited<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await task(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, lane));
}

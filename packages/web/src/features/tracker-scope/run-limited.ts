/**
 * Runs `task` for every item, at most `width` at a time, in order of the items. Resolves when all have ended; a task
 * that fails is the task's own to handle, since a rejection stops only its lane and is passed on.
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

/**
 * Runs `task` for every item in order, at most `width` tasks at a time. Resolves when all tasks are
 * done. Tasks should handle their errors: if a task rejects, the returned promise rejects, and
 * fewer tasks run at a time.
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

import { expect, test } from 'vitest';
import { runLimited } from './run-limited.ts';

test('runs the task once for every item, and at most the given number concurrently', async () => {
  const done: number[] = [];
  let running = 0;
  let maxRunning = 0;
  await runLimited([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await Promise.resolve();
    running -= 1;
    done.push(item);
  });
  expect(maxRunning).toBe(3);
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('resolves immediately if there are no items', async () => {
  await expect(runLimited([], 4, () => Promise.reject(new Error('never')))).resolves.toBeUndefined();
});

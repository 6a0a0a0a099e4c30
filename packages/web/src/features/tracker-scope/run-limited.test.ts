import { expect, test } from 'vitest';
import { runLimited } from './run-limited.ts';

test('never more than the given number run at once, and every item runs once', async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await runLimited([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    done.push(item);
  });
  expect(most).toBe(3);
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('nothing to do ends at once', async () => {
  await expect(runLimited([], 4, () => Promise.reject(new Error('never')))).resolves.toBeUndefined();
});

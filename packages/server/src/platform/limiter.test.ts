import { expect, test } from 'vitest';
import { createLimiter, HostPaused } from './limiter.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

test('limits concurrency and starts work in order of arrival', async () => {
  const limiter = createLimiter({ concurrency: 2 });
  const gates = [gate(), gate(), gate(), gate()];
  const started: number[] = [];
  const runs = gates.map(({ promise }, index) =>
    limiter.run('api.github.com', async () => {
      started.push(index);
      await promise;
    }),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  gates[1]?.open();
  await runs[1];
  expect(started).toEqual([0, 1, 2]);
  for (const { open } of gates) open();
  await Promise.all(runs);
  expect(started).toEqual([0, 1, 2, 3]);
});

test('releases the slot of work that throws', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  await expect(limiter.run('h', () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
  expect(await limiter.run('h', async () => 'next')).toBe('next');
});

test('hosts do not wait for each other', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  const blocked = gate();
  const first = limiter.run('a', () => blocked.promise);
  limiter.pauseUntil('c', Date.now() + 60_000);
  expect(await limiter.run('b', async () => 'done')).toBe('done');
  blocked.open();
  await first;
});

test('refuses work immediately if a pause outlasts its maximum wait, with the end of the pause', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  const untilMs = Date.now() + 3_600_000;
  limiter.pauseUntil('api.github.com', untilMs);
  let ran = false;
  const run = limiter.run(
    'API.github.com',
    async () => {
      ran = true;
    },
    { maxWaitMs: 1_000 },
  );
  await expect(run).rejects.toThrow(HostPaused);
  await expect(run).rejects.toMatchObject({ untilMs, category: 'unavailable' });
  expect(ran).toBe(false);
  expect(limiter.pausedUntil('api.github.com')).toBe(untilMs);
});

test('refuses waiting work when a pause begins that outlasts its maximum wait', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  const blocked = gate();
  const first = limiter.run('h', () => blocked.promise);
  const second = limiter.run('h', async () => 'ran', { maxWaitMs: 1_000 });
  limiter.pauseUntil('h', Date.now() + 60_000);
  await expect(second).rejects.toThrow(HostPaused);
  blocked.open();
  await first;
});

test('runs work after a pause; a shorter pause does not end a longer one', async () => {
  const limiter = createLimiter({ concurrency: 3 });
  const untilMs = Date.now() + 80;
  limiter.pauseUntil('h', untilMs);
  limiter.pauseUntil('h', untilMs - 70);
  const startedAt = await limiter.run('h', async () => Date.now());
  expect(startedAt).toBeGreaterThanOrEqual(untilMs);
  expect(limiter.pausedUntil('h')).toBeNull();
});

test('aborted work leaves the queue and its slot to the next', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  const blocked = gate();
  const first = limiter.run('h', () => blocked.promise);
  const controller = new AbortController();
  const second = limiter.run('h', async () => 'second', { signal: controller.signal });
  const third = limiter.run('h', async () => 'third');
  controller.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  blocked.open();
  await first;
  expect(await third).toBe('third');
});

import { expect, test } from 'vitest';
import { createLimiter, HostPaused } from './limiter.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

test('no more work runs at once than there are places, and it starts in the order of asking', async () => {
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

test('work that throws gives its place back', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  await expect(limiter.run('h', () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
  expect(await limiter.run('h', async () => 'next')).toBe('next');
});

test('one host never waits for another', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  const blocked = gate();
  const first = limiter.run('a', () => blocked.promise);
  limiter.pauseUntil('c', Date.now() + 60_000);
  expect(await limiter.run('b', async () => 'done')).toBe('done');
  blocked.open();
  await first;
});

test('a pause that outlasts the patience is refused at once, with its end', async () => {
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
  await expect(run).rejects.toMatchObject({ untilMs, status: 503 });
  expect(ran).toBe(false);
  expect(limiter.pausedUntil('api.github.com')).toBe(untilMs);
});

test('work that was already waiting is refused when a pause begins that it cannot outlast', async () => {
  const limiter = createLimiter({ concurrency: 1 });
  const blocked = gate();
  const first = limiter.run('h', () => blocked.promise);
  const second = limiter.run('h', async () => 'ran', { maxWaitMs: 1_000 });
  limiter.pauseUntil('h', Date.now() + 60_000);
  await expect(second).rejects.toThrow(HostPaused);
  blocked.open();
  await first;
});

test('work waits for the end of a pause and then runs; a shorter pause does not end a longer one', async () => {
  const limiter = createLimiter({ concurrency: 3 });
  const untilMs = Date.now() + 80;
  limiter.pauseUntil('h', untilMs);
  limiter.pauseUntil('h', untilMs - 70);
  const startedAt = await limiter.run('h', async () => Date.now());
  expect(startedAt).toBeGreaterThanOrEqual(untilMs);
  expect(limiter.pausedUntil('h')).toBeNull();
});

test('aborting while waiting leaves the line and the place to the next', async () => {
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

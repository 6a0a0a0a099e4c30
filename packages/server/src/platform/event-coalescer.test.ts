import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventCoalescer } from './event-coalescer.ts';

type Told = { type: string; tracker_id?: string; n: number };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(perSecond: number) {
  const published: [string, Told][] = [];
  const errors: unknown[] = [];
  let failure: Error | null = null;
  const coalescer = new EventCoalescer<Told>({
    perSecond,
    onError: (error) => errors.push(error),
    publish: async (accountId, event) => {
      if (failure !== null) throw failure;
      published.push([accountId, event]);
    },
  });
  return {
    coalescer,
    published,
    errors,
    numbers: () => published.map(([, event]) => event.n),
    failWith(error: Error) {
      failure = error;
    },
  };
}

test('a burst of 1000 events within a second becomes at most five, with the first immediately and the last at the end', async () => {
  const { coalescer, numbers } = open(4);
  for (let n = 0; n < 1000; n += 1) {
    await coalescer.publish('a', { type: 'progress', n });
    vi.advanceTimersByTime(1);
  }
  expect(numbers()[0]).toBe(0);
  expect(numbers().length).toBeLessThanOrEqual(5);
  vi.advanceTimersByTime(1000);
  expect(numbers().at(-1)).toBe(999);
});

test('accounts, types and subjects do not delay each other', async () => {
  const { coalescer, numbers } = open(1);
  await coalescer.publish('a', { type: 'progress', tracker_id: 't1', n: 1 });
  await coalescer.publish('b', { type: 'progress', tracker_id: 't1', n: 2 });
  await coalescer.publish('a', { type: 'other', tracker_id: 't1', n: 3 });
  await coalescer.publish('a', { type: 'progress', tracker_id: 't2', n: 4 });
  expect(numbers()).toEqual([1, 2, 3, 4]);
});

test('after a pause, the next event is published immediately', async () => {
  const { coalescer, numbers } = open(2);
  await coalescer.publish('a', { type: 'progress', n: 1 });
  vi.advanceTimersByTime(500);
  await coalescer.publish('a', { type: 'progress', n: 2 });
  expect(numbers()).toEqual([1, 2]);
});

test('flush publishes waiting events once', async () => {
  const { coalescer, numbers } = open(1);
  await coalescer.publish('a', { type: 'progress', n: 1 });
  await coalescer.publish('a', { type: 'progress', n: 2 });
  await coalescer.flush();
  expect(numbers()).toEqual([1, 2]);
  vi.advanceTimersByTime(5000);
  expect(numbers()).toEqual([1, 2]);
});

test('a failure to publish rejects the caller if immediate, and is passed to onError if delayed', async () => {
  const { coalescer, errors, failWith } = open(1);
  await coalescer.publish('a', { type: 'progress', n: 1 });
  await coalescer.publish('a', { type: 'progress', n: 2 });
  failWith(new Error('away'));
  await expect(coalescer.publish('b', { type: 'progress', n: 3 })).rejects.toThrow('away');
  await vi.advanceTimersByTimeAsync(1000);
  expect(errors).toHaveLength(1);
});

import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { Tallies } from './tallies.ts';

interface Count {
  name: string;
  count: number;
}

let written: Map<string, number>;
let writes: number;
let errors: unknown[];
let isBroken: boolean;

beforeEach(() => {
  written = new Map();
  writes = 0;
  errors = [];
  isBroken = false;
});

function newTallies(intervalMs: number): Tallies<Count> {
  return new Tallies<Count>({
    keyOf: ({ name }) => name,
    merge: (left, right) => ({ ...left, count: left.count + right.count }),
    write: async (tallies) => {
      await Promise.resolve();
      writes += 1;
      if (isBroken) throw new Error('Broken.');
      for (const { name, count } of tallies) written.set(name, (written.get(name) ?? 0) + count);
    },
    onError: (error) => errors.push(error),
    intervalMs,
  });
}

test('writes everything once, including tallies added during a failed write', async () => {
  const tallies = newTallies(60_000);
  const failures: unknown[] = [];
  for (let turn = 0; turn < 1_000; turn += 1) {
    isBroken = turn >= 300 && turn < 700;
    tallies.add({ name: `n${turn % 3}`, count: 1 });
    if (turn % 40 === 0) await tallies.flush().catch((error: unknown) => failures.push(error));
    if (turn % 50 === 0) void tallies.flush().catch((error: unknown) => failures.push(error));
  }
  await tallies.flush();
  expect(failures.length).toBeGreaterThan(5);
  expect(Object.fromEntries(written)).toEqual({ n0: 334, n1: 333, n2: 333 });
});

test('merges tallies with the same key', async () => {
  const tallies = newTallies(60_000);
  for (let turn = 0; turn < 100; turn += 1) tallies.add({ name: 'one', count: 2 });
  await tallies.flush();
  await tallies.flush();
  expect([writes, written.get('one')]).toEqual([1, 200]);
});

test('writes automatically, and reports each failure', async () => {
  const tallies = newTallies(1);
  isBroken = true;
  tallies.add({ name: 'one', count: 1 });
  await eventually(() => errors.length > 1);
  isBroken = false;
  await eventually(() => written.get('one') === 1);
});

test('after close, has written everything and does not retry', async () => {
  const tallies = newTallies(1);
  isBroken = true;
  tallies.add({ name: 'one', count: 1 });
  await expect(tallies.close()).rejects.toThrow('Broken.');
  const told = errors.length;
  isBroken = false;
  await tallies.close();
  expect([errors.length, written.get('one')]).toEqual([told, 1]);
});

test('returns tallies that are not stored yet, even during a write', async () => {
  const tallies = newTallies(60_000);
  tallies.add({ name: 'one', count: 1 });
  const written = tallies.flush();
  await Promise.resolve();
  tallies.add({ name: 'one', count: 2 });
  expect(tallies.unwritten()).toEqual([
    { name: 'one', count: 1 },
    { name: 'one', count: 2 },
  ]);
  await written;
  expect(tallies.unwritten()).toEqual([{ name: 'one', count: 2 }]);
  await tallies.close();
  expect(tallies.unwritten()).toEqual([]);
});

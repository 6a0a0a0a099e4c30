import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

test('concurrent callers share one result; later callers start new work', async () => {
  const flights = new SingleFlight<number>();
  let begun = 0;
  const work = async () => {
    begun += 1;
    return begun;
  };
  expect(await Promise.all([flights.run('a', work), flights.run('a', work), flights.run('b', work)])).toEqual(
    [1, 1, 2],
  );
  expect(await flights.run('a', work)).toBe(3);
});

test('a failure is passed to all concurrent callers, and the next call retries', async () => {
  const flights = new SingleFlight<string>();
  const failing = () => Promise.reject(new Error('No.'));
  const [first, second] = await Promise.allSettled([flights.run('a', failing), flights.run('a', failing)]);
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
  await flights.settled();
  expect(await flights.run('a', async () => 'Yes.')).toBe('Yes.');
});

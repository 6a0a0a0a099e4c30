import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

test('who asks for what is under way gets the same; who asks afterwards has it done again', async () => {
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

test('what failed is told to all who asked, and is done again for the next', async () => {
  const flights = new SingleFlight<string>();
  const failing = () => Promise.reject(new Error('No.'));
  const [first, second] = await Promise.allSettled([flights.run('a', failing), flights.run('a', failing)]);
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
  await flights.settled();
  expect(await flights.run('a', async () => 'Yes.')).toBe('Yes.');
});

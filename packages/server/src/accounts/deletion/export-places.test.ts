import { expect, test } from 'vitest';
import { AppError } from '../../platform/errors.ts';
import { ExportPlaces } from './export-places.ts';

const PLACES = 6;

/** Takes all places. The clock stands still until a test moves it. */
async function allTaken() {
  const clock = { ms: 0 };
  const places = new ExportPlaces(() => clock.ms);
  const cut: number[] = [];
  const taken = [];
  for (let number = 0; number < PLACES; number += 1) {
    taken.push(await places.enter(() => cut.push(number)));
  }
  for (const place of taken) place.took(1);
  return { clock, places, cut, taken };
}

test('an export that is still being measured keeps its place', async () => {
  const { clock, places, taken } = await allTaken();
  taken[0]?.leave();
  const cut: string[] = [];
  await places.enter(() => cut.push('measured'));
  clock.ms = 60_000;
  for (const place of taken.slice(2)) place.took(50_000_000);
  await places.enter(() => undefined);
  expect(cut).toEqual([]);
});

test('a slow download loses its place to a waiting export', async () => {
  const { clock, places, cut, taken } = await allTaken();
  clock.ms = 60_000;
  for (const [number, place] of taken.entries()) place.took(number === 3 ? 256 * 1024 : 50_000_000);
  await places.enter(() => undefined);
  expect(cut).toEqual([3]);
});

test('an unread download loses its place as well, and a fast one never does', async () => {
  const { clock, places, cut, taken } = await allTaken();
  clock.ms = 20_000;
  for (const place of taken.slice(1)) place.took(50_000_000);
  await places.enter(() => undefined);
  expect(cut).toEqual([0]);
  const waiting = places.enter(() => undefined).catch((error: unknown) => error);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(cut).toEqual([0]);
  clock.ms = 41_000;
  for (const place of taken.slice(1)) place.took(50_000_000);
  const refused = await waiting;
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 30 });
});

test('a waiting export takes the place of one that ends', async () => {
  const { places, cut, taken } = await allTaken();
  const waiting = places.enter(() => undefined);
  taken[0]?.leave();
  await waiting;
  expect(cut).toEqual([]);
});

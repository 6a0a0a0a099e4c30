import { expect, test } from 'vitest';
import { AppError } from '../../platform/errors.ts';
import { ExportSlots } from './export-slots.ts';

const SLOTS = 6;

/** Takes all slots. The clock advances only when a test advances it. */
async function allTaken() {
  const clock = { ms: 0 };
  const slots = new ExportSlots(() => clock.ms);
  const cut: number[] = [];
  const taken = [];
  for (let number = 0; number < SLOTS; number += 1) {
    taken.push(await slots.enter(() => cut.push(number)));
  }
  for (const slot of taken) slot.took(1);
  return { clock, slots, cut, taken };
}

test('an export that is still being measured keeps its slot', async () => {
  const { clock, slots, taken } = await allTaken();
  taken[0]?.leave();
  const cut: string[] = [];
  await slots.enter(() => cut.push('measured'));
  clock.ms = 60_000;
  for (const slot of taken.slice(2)) slot.took(50_000_000);
  await slots.enter(() => undefined);
  expect(cut).toEqual([]);
});

test('a slow download loses its slot to a waiting export', async () => {
  const { clock, slots, cut, taken } = await allTaken();
  clock.ms = 60_000;
  for (const [number, slot] of taken.entries()) slot.took(number === 3 ? 256 * 1024 : 50_000_000);
  await slots.enter(() => undefined);
  expect(cut).toEqual([3]);
});

test('an unread download loses its slot as well, and a fast one never does', async () => {
  const { clock, slots, cut, taken } = await allTaken();
  clock.ms = 20_000;
  for (const slot of taken.slice(1)) slot.took(50_000_000);
  await slots.enter(() => undefined);
  expect(cut).toEqual([0]);
  const waiting = slots.enter(() => undefined).catch((error: unknown) => error);
  expect(cut).toEqual([0]);
  clock.ms = 41_000;
  for (const slot of taken.slice(1)) slot.took(50_000_000);
  const refused = await waiting;
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ category: 'rate_limited', retryAfterSeconds: 30 });
});

test('a waiting export takes the slot of one that ends', async () => {
  const { slots, cut, taken } = await allTaken();
  const waiting = slots.enter(() => undefined);
  taken[0]?.leave();
  await waiting;
  expect(cut).toEqual([]);
});

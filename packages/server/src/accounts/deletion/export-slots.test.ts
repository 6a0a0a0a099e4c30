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
    taken.push(await slots.acquire(() => cut.push(number)));
  }
  for (const slot of taken) slot.reportBytesRead(1);
  return { clock, slots, cut, taken };
}

test('an export that is still being measured keeps its slot', async () => {
  const { clock, slots, taken } = await allTaken();
  taken[0]?.release();
  const cut: string[] = [];
  await slots.acquire(() => cut.push('measured'));
  clock.ms = 60_000;
  for (const slot of taken.slice(2)) slot.reportBytesRead(50_000_000);
  await slots.acquire(() => undefined);
  expect(cut).toEqual([]);
});

test('a slow download loses its slot to a waiting export', async () => {
  const { clock, slots, cut, taken } = await allTaken();
  clock.ms = 60_000;
  for (const [number, slot] of taken.entries()) slot.reportBytesRead(number === 3 ? 256 * 1024 : 50_000_000);
  await slots.acquire(() => undefined);
  expect(cut).toEqual([3]);
});

test('an unread download loses its slot as well, and a fast one never does', async () => {
  const { clock, slots, cut, taken } = await allTaken();
  clock.ms = 20_000;
  for (const slot of taken.slice(1)) slot.reportBytesRead(50_000_000);
  await slots.acquire(() => undefined);
  expect(cut).toEqual([0]);
  const waiting = slots.acquire(() => undefined).catch((error: unknown) => error);
  expect(cut).toEqual([0]);
  clock.ms = 41_000;
  for (const slot of taken.slice(1)) slot.reportBytesRead(50_000_000);
  const refused = await waiting;
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ category: 'rate_limited', retryAfterSeconds: 30 });
});

test('a waiting export takes the slot of one that ends', async () => {
  const { slots, cut, taken } = await allTaken();
  const waiting = slots.acquire(() => undefined);
  taken[0]?.release();
  await waiting;
  expect(cut).toEqual([]);
});

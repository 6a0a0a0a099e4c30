import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { actor, type LedgerSetup, setUpLedger } from '../../changes/testing/ledger-setup.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { whenFree } from './when-free.ts';

let database: TestDatabase;
let setup: LedgerSetup;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  setup = await setUpLedger(database.db);
});

/** Decides about the first two issues, which are being decided about already, as often as it is let. */
async function decideAnew(signal: AbortSignal) {
  const { accountId, duplicates, ledger, first, second } = setup;
  const payload = { issue1_id: first.id, issue2_id: second.id, resolution: 'unrelated' } as const;
  const plan = await duplicates.plan(accountId, payload);
  const codes: unknown[] = [];
  const write = () =>
    ledger.save(accountId, { actor, as: 'applying' }, plan).catch((error: unknown) => {
      codes.push((error as { code?: unknown }).code);
      throw error;
    });
  return { codes, done: whenFree(ledger, accountId, write, signal) };
}

test('a write that another change is in the way of is tried again once that is settled', async () => {
  const before = await setup.submit({ resolution: 'close_b' });
  const { codes, done } = await decideAnew(new AbortController().signal);
  const outcome = done.then(
    () => 'written',
    (error: { code: string }) => error.code,
  );
  await eventually(() => codes.length === 1);
  await setup.apply(before);
  expect(await outcome).toBe('already_resolved');
  expect(codes).toEqual(['being_resolved', 'already_resolved']);
});

test('who waits for another change stops when told to', async () => {
  await setup.submit({ resolution: 'close_b' });
  const stop = new AbortController();
  const { codes, done } = await decideAnew(stop.signal);
  const reason = new Error('Stopped.');
  setTimeout(() => stop.abort(reason), 10);
  await expect(done).rejects.toBe(reason);
  expect(codes).toEqual(['being_resolved']);
});

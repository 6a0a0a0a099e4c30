import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { attemptSubject, countAttempt } from './attempt-store.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const counters = [{ subject: attemptSubject('test'), limit: { allowed: 1, windowMs: 60_000 } }];

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('transactions at the same time do not exceed a limit', async () => {
  const { db } = database;
  const counted = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const first = db.transaction().execute(async (transaction) => {
    const { waitSeconds } = await countAttempt(transaction, counters, NOW);
    counted.resolve();
    await held.promise;
    return waitSeconds;
  });
  await counted.promise;
  let isSecondCounted = false;
  const second = db
    .transaction()
    .execute((transaction) => countAttempt(transaction, counters, NOW))
    .finally(() => {
      isSecondCounted = true;
    });
  await eventually(async () => {
    const waiting = await sql`select from pg_locks where locktype = 'advisory' and not granted`.execute(db);
    return isSecondCounted || waiting.rows.length > 0;
  });
  held.resolve();
  expect(await first).toBe(0);
  expect((await second).waitSeconds).toBe(60);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { totalUsage } from '../testing/total-usage.ts';
import { addUsage, usageWithin } from './counter-store.ts';

let database: TestDatabase;
let account: string;

beforeAll(async () => {
  database = await createTestDatabase();
  account = randomUUID();
  await database.db.insertInto('account').values({ id: account }).execute();
});
afterAll(() => database.drop());

test('a count in a transaction that is rolled back is not stored', async () => {
  const now = new Date('2026-03-01T23:59:59Z');
  await expect(
    database.db.transaction().execute(async (transaction) => {
      await addUsage(transaction, account, 'issues_ingested', 5, now);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await addUsage(database.db, account, 'issues_ingested', 2, now);
  await addUsage(database.db, account, 'issues_ingested', 0, now);
  await addUsage(database.db, randomUUID(), 'issues_ingested', 3, now);
  expect(await totalUsage(database.db, account, 'issues_ingested')).toBe(2);
});

test('counts of a range include its first and last day', async () => {
  const instants = [
    '2026-04-30T23:59:59Z',
    '2026-05-01T00:00:00Z',
    '2026-05-31T23:59:59Z',
    '2026-06-01T00:00:00Z',
  ];
  for (const instant of instants) await addUsage(database.db, account, 'ai_calls', 1, new Date(instant));
  const may = await usageWithin(database.db, account, { from: '2026-05-01', to: '2026-05-31' });
  expect(may).toEqual({ api_requests: 0, issues_ingested: 0, issues_processed: 0, ai_calls: 2 });
  expect(await usageWithin(database.db, account, null)).toMatchObject({ ai_calls: 4, issues_ingested: 2 });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { AccountExport } from './export.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => database.drop());

async function connections(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'winnow export'
  `.execute(database.db);
  return rows.length;
}

test('a download that nobody reads for a minute is cut, and lets its connection go', async () => {
  const accountId = randomUUID();
  await database.db.insertInto('account').values({ id: accountId }).execute();
  // More than streams hold back, however well it is compressed.
  const plans = Array.from({ length: 20 }, () => ({
    id: randomUUID(),
    account_id: accountId,
    name: randomBytes(50_000).toString('base64'),
    price_monthly: null,
    price_annually: null,
    features: '{}',
  }));
  await database.db.insertInto('custom_plan').values(plans).execute();
  const exports = new AccountExport({ connection: database.connection, now: () => new Date() });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const download = await exports.start(accountId);
  const failed = once(download, 'error');
  await once(download, 'readable');
  expect(await connections()).toBe(1);
  // Again and again, as it may have been filling up still.
  while (!download.destroyed) {
    vi.advanceTimersByTime(60_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.useRealTimers();
  expect(await failed).toMatchObject([{ message: 'Nobody reads the export.' }]);
  await eventually(async () => (await connections()) === 0);
});

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { type Gzip, gunzipSync } from 'node:zlib';
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

/** Creates an account whose data exceeds the stream buffers, even after compression. */
async function newAccount(): Promise<string> {
  const accountId = randomUUID();
  await database.db.insertInto('account').values({ id: accountId }).execute();
  const plans = Array.from({ length: 20 }, () => ({
    id: randomUUID(),
    account_id: accountId,
    name: randomBytes(50_000).toString('base64'),
    price_monthly: null,
    price_annually: null,
    features: '{}',
  }));
  await database.db.insertInto('custom_plan').values(plans).execute();
  return accountId;
}

function newExports(): AccountExport {
  return new AccountExport({ connection: database.connection, now: () => new Date() });
}

async function startWithFakeTimers(): Promise<Gzip> {
  const accountId = await newAccount();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return newExports().start({ accountId: accountId, homeId: accountId });
}

test('a lost connection ends only its download, and its place becomes free', async () => {
  const accountId = await newAccount();
  const exports = newExports();
  // More losses than slots: a slot that stayed taken would block the last download.
  for (let lost = 0; lost < 7; lost += 1) {
    const download = await exports.start({ accountId: accountId, homeId: accountId });
    const failed = once(download, 'error');
    await once(download, 'readable');
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'winnow export'
    `.execute(database.db);
    download.resume();
    await failed;
    await eventually(async () => (await connections()) === 0);
  }
  const whole = await exports.start({ accountId: accountId, homeId: accountId });
  expect(gunzipSync(await buffer(whole)).length).toBeGreaterThan(1_000_000);
  await eventually(async () => (await connections()) === 0);
});

test('a download that is read too slowly is canceled, so that it frees its place', async () => {
  const download = await startWithFakeTimers();
  const readSlowly = async () => {
    for await (const _ of download) vi.advanceTimersByTime(40_000);
  };
  await expect(readSlowly()).rejects.toThrow('The export was stopped: the client reads too slowly.');
});

test('a download that is not read for a minute is canceled and releases its connection', async () => {
  const download = await startWithFakeTimers();
  const failed = once(download, 'error');
  await once(download, 'readable');
  expect(await connections()).toBe(1);
  // The check is repeated, because buffers may still be filling.
  while (!download.destroyed) {
    vi.advanceTimersByTime(60_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  vi.useRealTimers();
  expect(await failed).toMatchObject([{ message: 'The export was stopped: the client reads too slowly.' }]);
  await eventually(async () => (await connections()) === 0);
});

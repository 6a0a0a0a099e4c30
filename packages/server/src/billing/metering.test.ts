import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { addUsage, RequestMeter, totalUsage } from './metering.ts';

let database: TestDatabase;
let accounts: string[];
let errors: unknown[];
let now: Date;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  accounts = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  errors = [];
  now = new Date('2026-03-01T23:59:59Z');
  await database.db
    .insertInto('account')
    .values(accounts.map((id) => ({ id })))
    .execute();
});

function newMeter(intervalMs: number): RequestMeter {
  return new RequestMeter({
    db: database.db,
    now: () => now,
    onError: (error) => errors.push(error),
    intervalMs,
  });
}

function totals(): Promise<number[]> {
  return Promise.all(accounts.map((id) => totalUsage(database.db, id, 'api_requests')));
}

/** Makes every write of a counter fail, or lets them succeed again. */
async function breakCounters(broken: boolean): Promise<void> {
  const [from, to] = broken ? ['usage_counter', 'counter_away'] : ['counter_away', 'usage_counter'];
  await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(database.db);
}

test('a thousand counts at once, with the database failing in between, are all there and none twice', async () => {
  const meter = newMeter(1);
  const failures: unknown[] = [];
  const flush = () => meter.flush().catch((error: unknown) => failures.push(error));
  const count = async (from: number, to: number) => {
    await Promise.all(
      Array.from({ length: to - from }, async (_, index) => {
        meter.count(accounts[(from + index) % 4] ?? '', 'api_requests');
        if (index % 40 === 0) await flush();
      }),
    );
  };
  await count(0, 300);
  await breakCounters(true);
  await count(300, 700);
  await flush();
  expect(failures.length).toBeGreaterThan(5);
  await breakCounters(false);
  await count(700, 1000);
  await meter.flush();
  expect(await totals()).toEqual([250, 250, 250, 250]);
});

test('counts are written by themselves, also after connections were lost', async () => {
  const meter = newMeter(5);
  meter.count(accounts[0] ?? '', 'api_requests');
  await eventually(async () => (await totals())[0] === 1);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `.execute(database.db);
  meter.count(accounts[0] ?? '', 'api_requests');
  await eventually(async () => (await totals())[0] === 2);
  await meter.flush();
  expect(await totals()).toEqual([2, 0, 0, 0]);
});

test('what could not be written in time is told, and written by itself as soon as it can be', async () => {
  const meter = newMeter(5);
  await breakCounters(true);
  meter.count(accounts[0] ?? '', 'api_requests');
  await eventually(() => errors.length > 1);
  await breakCounters(false);
  await eventually(async () => (await totals())[0] === 1);
});

test('a meter that is closed writes what it has and tries no more', async () => {
  const meter = newMeter(5);
  await breakCounters(true);
  meter.count(accounts[0] ?? '', 'api_requests');
  await expect(meter.close()).rejects.toThrow('usage_counter');
  const told = errors.length;
  await breakCounters(false);
  await meter.close();
  expect(errors.length).toBe(told);
  expect(await totals()).toEqual([1, 0, 0, 0]);
});

test('days are added up, and an account that is gone counts nothing and holds up nobody', async () => {
  const meter = newMeter(60_000);
  meter.count(accounts[0] ?? '', 'api_requests');
  now = new Date('2026-03-02T00:00:00Z');
  meter.count(accounts[0] ?? '', 'api_requests');
  meter.count(accounts[1] ?? '', 'api_requests');
  await database.db
    .deleteFrom('account')
    .where('id', '=', accounts[1] ?? '')
    .execute();
  await meter.flush();
  expect(await totals()).toEqual([2, 0, 0, 0]);
  const days = await database.db
    .selectFrom('usage_counter')
    .select('day')
    .where('account_id', '=', accounts[0] ?? '')
    .execute();
  expect(days).toHaveLength(2);
});

test('what is counted in a transaction that is rolled back was never counted', async () => {
  const [account = ''] = accounts;
  await expect(
    database.db.transaction().execute(async (transaction) => {
      await addUsage(transaction, account, 'issues_ingested', 5, now);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await addUsage(database.db, account, 'issues_ingested', 2, now);
  await addUsage(database.db, account, 'issues_ingested', 0, now);
  expect(await totalUsage(database.db, account, 'issues_ingested')).toBe(2);
});

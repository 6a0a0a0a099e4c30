import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Authenticate, createAuthentication } from '../../platform/http/auth.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { startServer } from '../../platform/testing/http-app.ts';
import { eventually } from '../../testing/eventually.ts';
import { totalUsage } from '../testing/total-usage.ts';
import { ApiCallMeter, countApiCalls } from './api-calls.ts';

let database: TestDatabase;
let accounts: string[];
let keys: string[];
let written: string[][];
let errors: unknown[];
let now: Date;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  accounts = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  keys = accounts.map(() => randomUUID());
  written = [];
  errors = [];
  now = new Date('2026-03-01T23:59:59Z');
  await database.db
    .insertInto('account')
    .values(accounts.map((id) => ({ id })))
    .execute();
});

function newMeter(intervalMs: number): ApiCallMeter {
  return new ApiCallMeter({
    db: database.db,
    now: () => now,
    onWritten: (ids) => written.push([...ids].toSorted()),
    onError: (error) => errors.push(error),
    intervalMs,
  });
}

/** Counts a request made with the API key of one of the test accounts. */
function count(
  meter: ApiCallMeter,
  place: number,
  call: Partial<Parameters<ApiCallMeter['count']>[1]> = {},
): void {
  const principal = { accountId: accounts[place] ?? '', keyId: keys[place] ?? '' };
  meter.count(principal, { method: 'GET', endpoint: '/search', hasFailed: false, durationMs: 3, ...call });
}

function rows() {
  return database.db
    .selectFrom('api_usage')
    .selectAll()
    .where('account_id', 'in', accounts)
    .orderBy('day')
    .orderBy('endpoint')
    .orderBy('method')
    .execute();
}

function totals(): Promise<number[]> {
  return Promise.all(accounts.map((id) => totalUsage(database.db, id, 'api_requests')));
}

/** If `broken`, makes every write of a counter fail; otherwise, lets writes succeed again. */
async function breakCounters(broken: boolean): Promise<void> {
  const [from, to] = broken ? ['usage_counter', 'counter_away'] : ['counter_away', 'usage_counter'];
  await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(database.db);
}

test('a thousand concurrent requests are each counted once, despite database failures in between', async () => {
  const meter = newMeter(1);
  const failures: unknown[] = [];
  const flush = () => meter.flush().catch((error: unknown) => failures.push(error));
  const countAll = async (from: number, to: number) => {
    await Promise.all(
      Array.from({ length: to - from }, async (_, index) => {
        count(meter, (from + index) % 4);
        if (index % 40 === 0) await flush();
      }),
    );
  };
  await countAll(0, 300);
  await breakCounters(true);
  await countAll(300, 700);
  await flush();
  expect(failures.length).toBeGreaterThan(5);
  await breakCounters(false);
  await countAll(700, 1000);
  await meter.flush();
  expect(await totals()).toEqual([250, 250, 250, 250]);
  expect((await rows()).map((row) => [row.count, row.latency.reduce((sum, number) => sum + number)])).toEqual(
    Array.from({ length: 4 }, () => [250, 250]),
  );
});

test('counts are stored automatically, even after lost connections', async () => {
  const meter = newMeter(5);
  count(meter, 0);
  await eventually(async () => (await totals())[0] === 1);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `.execute(database.db);
  count(meter, 0);
  await eventually(async () => (await totals())[0] === 2);
  await meter.flush();
  expect(await totals()).toEqual([2, 0, 0, 0]);
});

test('a failed write is reported and retried automatically', async () => {
  const meter = newMeter(5);
  await breakCounters(true);
  count(meter, 0);
  await eventually(() => errors.length > 1);
  await breakCounters(false);
  await eventually(async () => (await totals())[0] === 1);
});

test('a closed meter stores its counts and does not retry', async () => {
  const meter = newMeter(5);
  await breakCounters(true);
  count(meter, 0);
  await expect(meter.close()).rejects.toThrow('usage_counter');
  const told = errors.length;
  await breakCounters(false);
  await meter.close();
  expect(errors.length).toBe(told);
  expect(await totals()).toEqual([1, 0, 0, 0]);
});

test('days are added up, and a deleted account counts nothing and does not block other accounts', async () => {
  const meter = newMeter(60_000);
  count(meter, 0);
  now = new Date('2026-03-02T00:00:01Z');
  count(meter, 0, { durationMs: 999 });
  count(meter, 1);
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

test('requests add up by day, endpoint and key, with errors and durations, in any order of writes', async () => {
  const meters = [newMeter(60_000), newMeter(60_000)];
  for (const meter of meters) {
    count(meter, 0, { durationMs: 0.3 });
    count(meter, 0, { durationMs: 1, hasFailed: true });
    count(meter, 0, { method: 'POST' });
    count(meter, 0, { endpoint: '/any, "quoted" {braces}\\', durationMs: 0 });
  }
  await Promise.all(meters.map((meter) => meter.flush()));
  for (const meter of meters) count(meter, 0, { durationMs: 0.5 });
  for (const meter of meters.toReversed()) await meter.flush();
  const seen = (await rows()).map((row) => ({ ...row, latency: row.latency.slice(0, 1) }));
  const common = { account_id: accounts[0], key_id: keys[0], key_name: null, day: '2026-03-01' };
  expect(seen).toEqual([
    { ...common, endpoint: '/any, "quoted" {braces}\\', method: 'GET', count: 2, errors: 0, latency: [2] },
    { ...common, endpoint: '/search', method: 'GET', count: 6, errors: 2, latency: [4] },
    { ...common, endpoint: '/search', method: 'POST', count: 2, errors: 0, latency: [0] },
  ]);
  expect(await totals()).toEqual([10, 0, 0, 0]);
});

test('many processes that write the same rows take turns', async () => {
  const meters = Array.from({ length: 6 }, () => newMeter(60_000));
  for (let round = 0; round < 10; round += 1) {
    for (const [shift, meter] of meters.entries()) {
      for (let step = 0; step < 8; step += 1) {
        const place = (step + shift) % 8;
        count(meter, place % 4, { endpoint: place < 4 ? '/one' : '/two' });
      }
    }
    await Promise.all(meters.map((meter) => meter.flush()));
  }
  expect(await totals()).toEqual([120, 120, 120, 120]);
  expect((await rows()).map((row) => row.count)).toEqual(Array.from({ length: 8 }, () => 60));
});

test('accounts whose counts were stored are reported, once per write', async () => {
  const meter = newMeter(60_000);
  for (const place of [0, 1, 0]) count(meter, place);
  await meter.flush();
  await meter.flush();
  expect(written).toEqual([[accounts[0], accounts[1]].toSorted()]);
});

test('a request is counted once: as an error if its caller disconnects, however early', async () => {
  const meter = newMeter(60_000);
  const noted: string[] = [];
  const reached = { knowing: Promise.withResolvers<void>(), answering: Promise.withResolvers<void>() };
  const released = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let open = 2;
  const { port } = await startServer((app) => {
    countApiCalls(app, meter, ({ keyId }) => noted.push(keyId));
    const authenticate: Authenticate = async (token) => {
      if (token === 'wnw_answering') reached.answering.resolve();
      if (token === 'wnw_knowing') {
        reached.knowing.resolve();
        await closed.promise;
      }
      const [accountId = '', keyId = ''] = [accounts[0], keys[0]];
      const identity = { accountId, userId: '', role: 'viewer' } as const;
      return { kind: 'api_key', ...identity, permissions: new Set(['read']), keyId, scopes: ['read'] };
    };
    const { authorize: onRequest } = createAuthentication(app, authenticate, {
      policy: { 'GET /knowing': 'read', 'GET /answering': 'read', 'GET /nothing': 'read' },
    });
    for (const place of ['knowing', 'answering', 'nothing']) {
      app.get(`/${place}`, { onRequest }, async (_request, reply) => {
        if (place === 'nothing') return {};
        if (place === 'answering') await closed.promise;
        if (reply.raw.closed) open -= 1;
        if (open === 0) released.resolve();
        return {};
      });
    }
  });
  const ask = (place: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET /${place} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wnw_${place}\r\nConnection: close\r\n\r\n`,
    );
    return socket;
  };
  const cut = [ask('knowing'), ask('answering')];
  await Promise.all([reached.knowing.promise, reached.answering.promise]);
  for (const socket of cut) socket.destroy();
  await new Promise((resolve) => ask('nothing').resume().once('close', resolve));
  closed.resolve();
  await released.promise;
  await meter.flush();
  const seen = (await rows()).map(({ endpoint, count: requests, errors: failed }) => [
    endpoint,
    requests,
    failed,
  ]);
  expect(seen).toEqual([
    ['/answering', 1, 1],
    ['/knowing', 1, 1],
    ['/nothing', 1, 0],
  ]);
  expect(noted).toEqual(Array(3).fill(keys[0]));
});

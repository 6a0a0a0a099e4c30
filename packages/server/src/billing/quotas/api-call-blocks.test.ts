import { randomUUID } from 'node:crypto';
import type { PlanId } from '@winnow/contract/plan';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../platform/database.ts';
import { openLog } from '../../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import type { Tables } from '../../schema/tables.ts';
import { eventually } from '../../testing/eventually.ts';
import { AccountPlans } from '../plans/account-plans.ts';
import { planOf } from '../plans/plans.ts';
import { addCustomPlan } from '../plans/store.ts';
import { givePlan } from '../testing/subscribed.ts';
import { addUsage } from '../usage/counter-store.ts';
import { ApiCallBlocks } from './api-call-blocks.ts';
import { PlanQuotas } from './quotas.ts';

const FREE = 1_000;
/** Size of a block on the Free plan: 1% of the monthly quota. */
const AHEAD = FREE / 100;

let database: TestDatabase;
let now = new Date('2026-03-14T12:00:00Z');
const open: { blocks: ApiCallBlocks; pool: Database<Tables> }[] = [];
const errors: unknown[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  now = new Date('2026-03-14T12:00:00Z');
  for (const { blocks, pool } of open.splice(0)) {
    await blocks.close();
    await pool.close();
  }
  expect(errors.splice(0)).toEqual([]);
});
afterAll(() => database.drop());

/**
 * Creates blocks with separate database connections, so that they act as those of another process.
 */
function newProcess(): ApiCallBlocks {
  const pool = openDatabase<Tables>(database.connection, { log: openLog({ level: 'silent' }), max: 3 });
  const { db } = pool;
  const amounts = new PlanQuotas({
    db,
    plans: new AccountPlans({ db, selfHosted: null }),
    now: () => now,
  });
  const blocks = new ApiCallBlocks({ amounts, now: () => now, onError: (error) => errors.push(error) });
  open.push({ blocks, pool });
  return blocks;
}

async function newAccount(plan: PlanId = 'free'): Promise<string> {
  const id = randomUUID();
  await database.db.insertInto('account').values({ id }).execute();
  await givePlan(database.db, id, plan);
  return id;
}

async function given(takings: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(takings);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'plan_limit' });
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}
const rush = (account: string, processes: ApiCallBlocks[], count: number) =>
  given(
    Array.from({ length: count }, async (_, index) => {
      const blocks = processes[index % processes.length];
      // Starts every third call in a later turn of the event loop, so that not all calls are
      // concurrent.
      if (index % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      return blocks?.take(account);
    }),
  );
async function taken(account: string): Promise<number | undefined> {
  const { db } = database;
  const query = db.selectFrom('plan_usage').select('taken').where('account_id', '=', account);
  return (await query.executeTakeFirst())?.taken;
}

test.each([1, 2, 4])(
  'exactly the limit is granted to more callers than the limit, by %i processes',
  async (count) => {
    const account = await newAccount();
    const processes = Array.from({ length: count }, newProcess);
    expect(await rush(account, processes, FREE + 500)).toBe(FREE);
    expect(await taken(account)).toBe(FREE);
  },
);

test.each([1, 9, 25, 2_505])('exactly %i calls are granted', async (count) => {
  const account = await newAccount();
  const { features } = planOf('free');
  await addCustomPlan(database.db, account, {
    id: `of-${count}`,
    name: 'Theirs',
    price_monthly: 10,
    price_annually: null,
    features: { ...features, api_calls_monthly: count },
  });
  await givePlan(database.db, account, `of-${count}`);
  expect(await rush(account, [newProcess()], count + 20)).toBe(count);
});

test('exactly the limit is granted to callers that each call sequentially, by two processes', async () => {
  const account = await newAccount();
  const processes = [newProcess(), newProcess()];
  let passed = 0;
  const caller = async (blocks: ApiCallBlocks) => {
    for (let calls = 0; calls < 150; calls += 1) {
      const isGiven = await given([blocks.take(account)]);
      passed += isGiven;
    }
  };
  await Promise.all(processes.flatMap((blocks) => Array.from({ length: 5 }, () => caller(blocks))));
  expect(passed).toBe(FREE);
});

test('a process that finds no calls left waits until another process returns its block', async () => {
  const account = await newAccount();
  const [holder, other] = [newProcess(), newProcess()];
  await holder.take(account);
  expect(await taken(account)).toBe(1 + AHEAD);
  expect(await rush(account, [other], FREE)).toBe(FREE - 1);
});

test('unused calls are returned within a second, and when a process stops', async () => {
  const account = await newAccount();
  const blocks = newProcess();
  await blocks.take(account);
  expect(await taken(account)).toBe(1 + AHEAD);
  await eventually(async () => (await taken(account)) === 1, { timeoutMs: 5_000 });
  await blocks.take(account);
  await blocks.close();
  expect(await taken(account)).toBe(2);
  await blocks.take(account);
  expect(await taken(account)).toBe(3);
});

test.each([
  { used: FREE - FREE / 10 - AHEAD - 1, ahead: AHEAD },
  { used: FREE - FREE / 10 - AHEAD, ahead: 0 },
])(
  'with $used calls made, a block has $ahead: near the end calls are taken one by one',
  async ({ used, ahead }) => {
    const account = await newAccount();
    await addUsage(database.db, account, 'api_requests', used, now);
    const blocks = newProcess();
    await blocks.take(account);
    expect(await taken(account)).toBe(used + 1 + ahead);
    await blocks.take(account);
    expect(await taken(account)).toBe(used + (ahead === 0 ? 2 : 1 + ahead));
  },
);

test('a crashed process loses no more than its block', async () => {
  const account = await newAccount();
  const dying = newProcess();
  await dying.take(account);
  const [{ pool } = { pool: null }] = open.splice(0);
  // The process cannot return its block, because its database connections are closed.
  await pool?.close();
  expect(await rush(account, [newProcess()], FREE)).toBe(FREE - 1 - AHEAD);
  await dying.close();
  expect(errors.splice(0)).toHaveLength(1);
});

test('a refunded call can be taken again, even the last one', async () => {
  const account = await newAccount();
  const blocks = newProcess();
  const calls = await Promise.all(Array.from({ length: FREE }, () => blocks.take(account)));
  expect(await rush(account, [blocks], 2)).toBe(0);
  await calls[0]?.refund();
  await eventually(async () => (await taken(account)) === FREE - 1);
  expect(await rush(account, [newProcess()], 2)).toBe(1);
});

test('a block ends with its month', async () => {
  const account = await newAccount();
  const blocks = newProcess();
  now = new Date('2026-03-31T23:59:59.999Z');
  expect(await rush(account, [blocks], FREE + 5)).toBe(FREE);
  now = new Date('2026-04-01T00:00:00Z');
  await blocks.take(account);
  now = new Date('2026-04-30T23:59:59.999Z');
  await blocks.take(account);
  now = new Date('2026-05-01T00:00:00Z');
  expect(await rush(account, [blocks], FREE + 5)).toBe(FREE);
  await blocks.close();
  const rows = await database.db
    .selectFrom('plan_usage')
    .select(['month', 'taken'])
    .where('account_id', '=', account)
    .orderBy('month')
    .execute();
  expect(rows.map(({ month, taken }) => `${month}: ${taken}`)).toEqual([
    '2026-03-01: 1000',
    '2026-04-01: 2',
    '2026-05-01: 1000',
  ]);
});

test('a plan change applies within a second', async () => {
  const account = await newAccount();
  const blocks = newProcess();
  expect(await rush(account, [blocks], FREE + 1)).toBe(FREE);
  await givePlan(database.db, account, 'pro');
  expect(await rush(account, [blocks], 10)).toBe(10);
  await givePlan(database.db, account, 'free');
  await eventually(async () => (await given([blocks.take(account)])) === 0, { timeoutMs: 5_000 });
  await givePlan(database.db, account, 'ultra');
  expect(await rush(account, [blocks], 5_000)).toBe(5_000);
  const before = await taken(account);
  expect(await rush(account, [blocks], 100)).toBe(100);
  expect(await taken(account)).toBe(before);
});

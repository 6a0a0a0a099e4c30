import { randomUUID } from 'node:crypto';
import type { PlanId } from '@winnow/contract/plan';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../platform/database.ts';
import { openLog } from '../../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import type { Db, Tables } from '../../schema/tables.ts';
import { AccountPlans } from '../plans/account-plans.ts';
import { givePlan } from '../testing/subscribed.ts';
import { addUsage } from '../usage/counter-store.ts';
import { PlanQuotas } from './quotas.ts';

let database: TestDatabase;
let now = new Date('2026-03-14T12:00:00Z');
const zone = process.env.TZ;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => {
  now = new Date('2026-03-14T12:00:00Z');
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});
afterAll(() => database.drop());

const amountsOn = ({ db }: { db: Db } = database, selfHosted: PlanId | null = null) =>
  new PlanQuotas({ db, plans: new AccountPlans({ db, selfHosted }), now: () => now });

async function newAccount(plan: PlanId = 'free'): Promise<string> {
  const id = randomUUID();
  await database.db.insertInto('account').values({ id }).execute();
  await givePlan(database.db, id, plan);
  return id;
}

const takeAi = (accountId: string, amounts = amountsOn()) => amounts.take(accountId, 'ai_calls_monthly');
const rowsOf = (accountId: string) =>
  database.db.selectFrom('plan_usage').selectAll().where('account_id', '=', accountId).execute();

/** Returns the number of attempts that succeeded in taking a unit. */
async function given(takings: Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(takings);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'plan_limit' });
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

test('exactly the limit is granted to concurrent calls from two connection pools', async () => {
  const account = await newAccount();
  const other = openDatabase<Tables>(database.connection, { log: openLog({ level: 'silent' }), max: 5 });
  try {
    const all = [amountsOn(), amountsOn(other)];
    const takings = Array.from({ length: 100 }, (_, index) => takeAi(account, all[index % 2]));
    expect(await given(takings)).toBe(10);
  } finally {
    await other.close();
  }
  expect(await rowsOf(account)).toMatchObject([{ kind: 'ai_calls', taken: 10, month: '2026-03-01' }]);
});

test('the refusal names the exhausted quota, the date of its renewal, and another plan as a remedy', async () => {
  const account = await newAccount();
  await given(Array.from({ length: 10 }, () => takeAi(account)));
  now = new Date('2026-03-31T23:59:58.500Z');
  await expect(takeAi(account)).rejects.toMatchObject({
    category: 'rate_limited',
    detail:
      'Your plan Free allows 10 AI calls a month, and they are used up. More are available from 1 April 2026, or with another plan.',
    retryAfterSeconds: 2,
    more: { feature: 'ai_calls_monthly', plan_id: 'free', resets_at: '2026-04-01T00:00:00.000Z' },
  });
});

test('returned units can be taken again', async () => {
  const account = await newAccount();
  const [first] = await Promise.all(Array.from({ length: 10 }, () => takeAi(account)));
  await first?.refund();
  expect(await given([takeAi(account), takeAi(account)])).toBe(1);
});

test.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kathmandu', 'UTC'])(
  'a month begins in UTC, even if the process runs in %s',
  async (timeZone) => {
    process.env.TZ = timeZone;
    const account = await newAccount();
    now = new Date('2026-12-31T23:59:59.999Z');
    expect(await given(Array.from({ length: 12 }, () => takeAi(account)))).toBe(10);
    now = new Date('2027-01-01T00:00:00.000Z');
    expect(await given(Array.from({ length: 12 }, () => takeAi(account)))).toBe(10);
    now = new Date('2026-12-31T10:00:01.000Z');
    expect(await given([takeAi(account)])).toBe(0);
    expect((await rowsOf(account)).map(({ month }) => month).sort()).toEqual(['2026-12-01', '2027-01-01']);
  },
);

test('a plan change applies immediately: a larger plan grants the difference, and a smaller one grants no more units', async () => {
  const account = await newAccount('free');
  const rush = () => given(Array.from({ length: 120 }, () => takeAi(account)));
  expect(await rush()).toBe(10);
  await givePlan(database.db, account, 'pro');
  expect(await rush()).toBe(90);
  await givePlan(database.db, account, 'free');
  expect(await rush()).toBe(0);
  await givePlan(database.db, account, 'pro');
  expect(await rush()).toBe(0);
});

test('usage from before the account had a limit counts', async () => {
  const account = await newAccount('enterprise');
  await takeAi(account);
  expect(await rowsOf(account)).toEqual([]);
  await addUsage(database.db, account, 'ai_calls', 7, new Date('2026-03-01T00:00:00Z'));
  await addUsage(database.db, account, 'ai_calls', 50, new Date('2026-02-28T23:59:59Z'));
  await givePlan(database.db, account, 'free');
  expect(await given(Array.from({ length: 5 }, () => takeAi(account)))).toBe(3);
  await givePlan(database.db, account, 'enterprise');
  await addUsage(database.db, account, 'ai_calls', 60, now);
  await givePlan(database.db, account, 'pro');
  expect(await given(Array.from({ length: 50 }, () => takeAi(account)))).toBe(33);
});

test('no units are taken on a plan without a limit or in a self-hosted installation', async () => {
  const account = await newAccount('enterprise');
  expect(await given(Array.from({ length: 20 }, () => takeAi(account)))).toBe(20);
  const own = await newAccount('free');
  const selfHosted = amountsOn(database, 'free');
  expect(await given(Array.from({ length: 20 }, () => takeAi(own, selfHosted)))).toBe(20);
  expect([...(await rowsOf(account)), ...(await rowsOf(own))]).toEqual([]);
});

test('the remaining units are granted, and a transaction that is rolled back takes none', async () => {
  const account = await newAccount();
  const amounts = amountsOn();
  const take = (wanted: number, fails = false) =>
    database.db.transaction().execute(async (transaction) => {
      const count = await amounts.takeUpTo(transaction, account, 'issues_ingested_monthly', wanted);
      if (fails) throw new Error(`rolled back ${count}`);
      return count;
    });
  await expect(take(60, true)).rejects.toThrow('rolled back 60');
  expect(await take(60)).toBe(60);
  expect(await Promise.all([take(30), take(30)]).then((counts) => counts.sort())).toEqual([10, 30]);
  expect(await amounts.hasUnitsLeft(account, 'issues_ingested_monthly')).toBe(false);
  expect(await take(1)).toBe(0);
});

test('a deleted account gets no units', async () => {
  expect(await given([takeAi(randomUUID())])).toBe(0);
});

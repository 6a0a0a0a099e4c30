import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../platform/testing/database.ts';
import { presentSubscription } from './present.ts';
import * as store from './store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function reading(changes: Partial<store.SubscriptionState> = {}): store.SubscriptionState {
  return {
    subscription_id: `sub_${randomUUID()}`,
    plan_id: 'pro',
    interval: 'month',
    status: 'active',
    current_period_start: new Date('2030-01-01T00:00:00Z'),
    current_period_end: new Date('2030-02-01T00:00:00Z'),
    cancel_at_period_end: false,
    pending_change: null,
    waiting_change: null,
    ...changes,
  };
}

async function newAccount(): Promise<{ accountId: string; customerId: string }> {
  const [accountId, customerId] = [randomUUID(), `cus_${randomUUID()}`];
  await database.db.insertInto('account').values({ id: accountId }).execute();
  await store.setCustomer(database.db, accountId, customerId);
  return { accountId, customerId };
}

test('the read that began later is stored, even if its response arrives first', async () => {
  const { db } = database;
  const place = await newAccount();
  const [first, second] = [await store.databaseTime(db), await store.databaseTime(db)];
  await store.saveSubscriptionState(db, { ...place, readAt: second }, reading({ plan_id: 'ultra' }));
  await store.saveSubscriptionState(db, { ...place, readAt: first }, reading({ plan_id: 'pro' }));
  expect((await store.findSubscription(db, place.accountId))?.plan_id).toBe('ultra');
  await store.saveSubscriptionState(db, { ...place, readAt: await store.databaseTime(db) }, null);
  expect(presentSubscription(await store.findSubscription(db, place.accountId))).toBeNull();
});

test('the state of a customer who stopped paying for the account is not stored', async () => {
  const { db } = database;
  const place = await newAccount();
  const readAt = await store.databaseTime(db);
  await store.setCustomer(db, place.accountId, `cus_${randomUUID()}`);
  await store.saveSubscriptionState(db, { ...place, readAt }, reading());
  expect((await store.findSubscription(db, place.accountId))?.subscription_id).toBeNull();
});

test.each([
  ['active', true, 'pending_cancellation'],
  ['trialing', true, 'pending_cancellation'],
  ['past_due', true, 'past_due'],
  ['active', false, 'active'],
  ['unpaid', false, 'unpaid'],
])('%s, ending: %s, is displayed as %s', async (status, ends, shown) => {
  const { db } = database;
  const place = await newAccount();
  const readAt = await store.databaseTime(db);
  await store.saveSubscriptionState(
    db,
    { ...place, readAt },
    reading({ status, cancel_at_period_end: ends }),
  );
  const row = await store.findSubscription(db, place.accountId);
  expect(presentSubscription(row)).toMatchObject({ status: shown, cancel_at_period_end: ends });
});

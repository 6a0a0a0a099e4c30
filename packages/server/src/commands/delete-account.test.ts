import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givePlan } from '../billing/testing/subscribed.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { runCommand } from './testing/run-command.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-delete-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Returns the confirmation prompt for deleting the account with this email address. */
async function question(address: string): Promise<string> {
  const { code, errors } = await runCommand(['delete-account', address], { database, dataDir });
  expect(code).toBe(1);
  return errors.split('\n')[0] ?? '';
}

async function addUser(username: string, state: 'active' | 'pending'): Promise<string> {
  const account_id = randomUUID();
  const { db } = database;
  await db.insertInto('account').values({ id: account_id }).execute();
  await db
    .insertInto('app_user')
    .values({ account_id, id: randomUUID(), username, email: `${username}@example.com`, state })
    .execute();
  return account_id;
}

test('the prompt names the owner and a running subscription', async () => {
  await addUser('pending-4711', 'pending');
  expect(await question('pending-4711@example.com')).toBe(
    'All data in the account of pending-4711@example.com (invited, not yet accepted) will be deleted permanently.',
  );
  await givePlan(database.db, await addUser('ada', 'active'), 'pro');
  expect(await question('ada@example.com')).toBe(
    'All data in the account of ada (ada@example.com) will be deleted permanently. Its active subscription to the Pro plan will be canceled at Stripe immediately, without a refund.',
  );
});

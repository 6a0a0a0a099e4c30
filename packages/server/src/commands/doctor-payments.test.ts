import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StripeEmulator, startStripeEmulator } from '@winnow/emulators/stripe/emulator';
import { stripeEnv } from '@winnow/emulators/stripe/environment';
import { WINNOW_PRICES } from '@winnow/emulators/stripe/winnow-prices';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertUser } from '../accounts/store.ts';
import { planOf } from '../billing/plans/plans.ts';
import { addCustomPlan } from '../billing/plans/store.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { runCommand } from './testing/run-command.ts';

let stripe: StripeEmulator;
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-doctor-'));
  database = await createTestDatabase();
  stripe = await startStripeEmulator({ prices: WINNOW_PRICES });
});
afterAll(async () => {
  await stripe.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs the doctor and returns its lines about payments. */
async function payments(env: Record<string, string> = {}): Promise<string> {
  const { output } = await runCommand(['doctor'], {
    database,
    dataDir,
    env: {
      ...stripeEnv(stripe),
      PUBLIC_URL: 'https://winnow.example.org',
      ...env,
    },
  });
  return output.split('\n').find((line) => line.includes('payments:')) ?? '';
}

test('reports whether Stripe accepts the key and has the prices', async () => {
  expect(await payments()).toBe('ok      payments: Stripe accepts the key and has the prices of all plans.');
  expect(await payments({ PUBLIC_URL: '' })).toMatch(/^problem payments: PUBLIC_URL is not set/);
  expect(await payments({ STRIPE_SECRET_KEY: 'sk_test_another' })).toMatch(
    /^problem payments: Stripe does not accept/,
  );
  expect(await payments({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' })).toMatch(/^note {4}payments:/);
  stripe.addPrice({ lookup_key: 'winnow_pro_month', unit_amount: 2_100, interval: 'month' });
  stripe.archivePrice('winnow_ultra_year');
  const told = await payments();
  expect(told).toContain('the price winnow_pro_month is not $20 a month in US dollars');
  expect(told).toContain('no active price has the lookup key winnow_ultra_year ($2000 a year)');
}, 120_000);

test('reports whether Stripe has the prices of custom plans', async () => {
  const owner = randomUUID();
  const user = { account_id: owner, id: randomUUID(), username: 'ada', email: 'ada@example.com' };
  await insertUser(database.db, { ...user, password_hash: null, state: 'active' });
  for (const id of ['acme', 'beta']) {
    await addCustomPlan(database.db, owner, {
      ...planOf('pro'),
      id,
      name: id,
      price_monthly: 99,
      price_annually: null,
    });
  }
  stripe.addPrice({ lookup_key: 'winnow_acme_month', unit_amount: 9_900, interval: 'month' });
  const told = await payments();
  expect(told).toContain('no active price has the lookup key winnow_beta_month ($99 a month)');
  expect(told).toMatch(/ Custom plans with prices: acme\.$/);
}, 60_000);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StripeEmulator, startStripeEmulator } from '../../../../tools/emulators/stripe/emulator.ts';
import { WINNOW_PRICES } from '../../../../tools/emulators/stripe/winnow-prices.ts';
import { WEBHOOK_SECRET } from '../billing/stripe/testing/billing.ts';
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

/** What the doctor says of payments. */
async function payments(env: Record<string, string> = {}): Promise<string> {
  const { output } = await runCommand(['doctor'], {
    database,
    dataDir,
    env: {
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: stripe.url,
      PUBLIC_URL: 'https://winnow.example.org',
      ...env,
    },
  });
  return output.split('\n').find((line) => line.includes('payments:')) ?? '';
}

test('the doctor tells whether Stripe accepts us and has our prices', async () => {
  expect(await payments()).toBe('ok      payments: Stripe accepts us and has the prices of our plans.');
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

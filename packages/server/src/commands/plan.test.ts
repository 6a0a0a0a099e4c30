import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planList } from '@winnow/contract/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givePlan } from '../billing/testing/subscribed.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { readPlan } from './plan.ts';
import { runCommand } from './testing/run-command.ts';

let winnow: RunningWinnow;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-plan-'));
  winnow = await startWinnow();
});
afterAll(async () => {
  await winnow.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const run = (...args: string[]) => runCommand(['plan', ...args], { database: winnow.database, dataDir });

test('adds, lists and removes a custom plan while Winnow is running', async () => {
  const caller = await winnow.newCaller();
  const address = `${caller.name}@Example.com`;
  const words = [
    '--id',
    'acme-2030',
    '--name',
    'Acme',
    '--monthly',
    '99.50',
    '--ai-calls',
    '500',
    '--issues',
    '-1',
  ];
  const added = await run('add', address, ...words, '--custom-models');
  expect([added.code, added.errors]).toEqual([0, '']);
  expect(added.output).toContain('\n  winnow_acme-2030_month  $99.5 a month\n');
  expect(added.output).not.toContain('winnow_acme-2030_year');
  expect(added.output).toContain('\n  AI calls / month: 500\n  Issues ingested / month: without a limit\n');
  expect(await caller.get('/billing/custom-plans', planList)).toEqual([
    {
      id: 'acme-2030',
      name: 'Acme',
      price_monthly: 99.5,
      price_annually: null,
      features: {
        api_calls_monthly: -1,
        ai_calls_monthly: 500,
        issues_ingested_monthly: -1,
        custom_ai_models_enabled: true,
        custom_compliance_metrics_enabled: false,
      },
    },
  ]);
  const again = await run('add', address, ...words);
  expect([again.code, again.errors]).toEqual([1, 'The plan acme-2030 already exists.\n']);
  const listed = await run('list');
  expect([listed.code, listed.output]).toEqual([
    0,
    expect.stringContaining(`acme-2030: Acme, for ${caller.name}@example.com\n`),
  ]);
  expect(listed.output).toContain('\n  Custom AI models: yes\n  Custom compliance metrics: no\n');
  const asked = await run('remove', 'acme-2030');
  expect([asked.code, asked.errors]).toEqual([
    1,
    expect.stringMatching(
      /^Acme was added for .*, who does not pay for it\.\nType "acme-2030" .*Nothing was changed/s,
    ),
  ]);
  const { db } = winnow.database;
  const { account_id } = await db
    .selectFrom('custom_plan')
    .select('account_id')
    .where('id', '=', 'acme-2030')
    .executeTakeFirstOrThrow();
  await givePlan(db, account_id, 'acme-2030');
  expect((await run('remove', 'acme-2030')).errors).toContain(
    `${caller.name}@example.com pays for Acme, will get the Free plan instead, and continues to pay`,
  );
  expect((await run('remove', 'acme-2030', '--yes')).output).toContain('and continues to pay: cancel');
  expect((await run('remove', 'acme-2030', '--yes')).code).toBe(1);
  expect(await caller.get('/billing/custom-plans', planList)).toEqual([]);
}, 120_000);

test.each([
  ['the id of a public plan', { id: 'pro' }, 'public plan'],
  ['an id that is not a lookup key', { id: 'A_b' }, 'An id has'],
  ['no id', { id: undefined }, 'An id has'],
  ['no price', { yearly: undefined }, 'Enter what the plan costs'],
  ['a price of zero', { yearly: '0' }, 'above 0'],
  ['fractions of a cent', { yearly: '1.005' }, 'two decimals'],
  ['no number', { yearly: 'much' }, 'A price is an amount'],
  ['a negative amount', { issues: '-2' }, 'issues'],
])('%s is refused with a sentence', (_, wrong, sentence) => {
  const values = Object.entries({ id: 'acme', name: 'A', yearly: '9', ...wrong });
  const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  expect(readPlan(given)).toEqual(expect.stringContaining(sentence));
});

test('adds no plan for an unknown address', async () => {
  const { code, errors } = await run(
    'add',
    'unknown@example.com',
    '--id',
    'acme',
    '--name',
    'A',
    '--yearly',
    '9',
  );
  expect([code, errors]).toEqual([1, 'No account with the address unknown@example.com was found.\n']);
});

test('prints the arguments of its three commands for --help and for unknown arguments', async () => {
  const { code, output } = await run('--help');
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      /^Usage: winnow plan add EMAIL[\s\S]*--custom-metrics[\s\S]*plan list\n[\s\S]*plan remove ID \[--yes\]\n/,
    ),
  ]);
  for (const args of [[], ['sell']]) {
    expect(await run(...args)).toEqual({ code: 2, output: '', errors: output });
  }
});

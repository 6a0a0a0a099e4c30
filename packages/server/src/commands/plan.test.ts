import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planList } from '@winnow/contract/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { readOrder } from './plan.ts';
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

test('a plan is made for one account beside a running Winnow, listed and removed', async () => {
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
  expect([again.code, again.errors]).toEqual([1, 'There is a plan acme-2030 already.\n']);
  const listed = await run('list');
  expect([listed.code, listed.output]).toEqual([
    0,
    expect.stringContaining(`acme-2030: Acme, for ${caller.name}@example.com\n`),
  ]);
  expect((await run('remove', 'acme-2030')).code).toBe(0);
  expect((await run('remove', 'acme-2030')).code).toBe(1);
  expect(await caller.get('/billing/custom-plans', planList)).toEqual([]);
}, 120_000);

test.each([
  ['nothing', [], 'Say what to do'],
  ['no address', ['add', '--id', 'acme', '--name', 'A', '--yearly', '9'], 'Say for whom'],
  [
    'the id of a plan of everybody',
    ['add', 'a@b.cd', '--id', 'pro', '--name', 'A', '--yearly', '9'],
    'everybody',
  ],
  [
    'an id that is no lookup key',
    ['add', 'a@b.cd', '--id', 'A_b', '--name', 'A', '--yearly', '9'],
    'An id has',
  ],
  ['no price', ['add', 'a@b.cd', '--id', 'acme', '--name', 'A'], 'Say what the plan costs'],
  ['a price of nothing', ['add', 'a@b.cd', '--id', 'acme', '--name', 'A', '--yearly', '0'], 'above 0'],
  ['parts of cents', ['add', 'a@b.cd', '--id', 'acme', '--name', 'A', '--yearly', '1.005'], 'whole cents'],
  ['no number', ['add', 'a@b.cd', '--id', 'acme', '--name', 'A', '--yearly', 'much'], 'A price is an amount'],
  [
    'an amount below none',
    ['add', 'a@b.cd', '--id', 'acme', '--name', 'A', '--yearly', '9', '--issues=-2'],
    'issues',
  ],
  ['an option it does not know', ['add', 'a@b.cd', '--colour', 'red'], '--colour'],
  ['a plan without its id', ['remove'], 'by its id'],
  ['more than there is to list', ['list', 'all'], 'nothing more'],
])('%s is refused with a sentence', (_, args, sentence) => {
  expect(readOrder(args)).toEqual(expect.stringContaining(sentence));
});

test('for an address of nobody no plan is made', async () => {
  const { code, errors } = await run(
    'add',
    'nobody@example.com',
    '--id',
    'acme',
    '--name',
    'A',
    '--yearly',
    '9',
  );
  expect([code, errors]).toEqual([1, 'There is no account with the address nobody@example.com.\n']);
});

test('its help says what it takes', async () => {
  const { code, output } = await run('--help');
  expect([code, output]).toEqual([0, expect.stringContaining('--custom-metrics')]);
});

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lead } from '@winnow/contract/lead';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { runCommand } from './testing/run-command.ts';

const ORDERS = '\u001b[2J\u009b31m';
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-leads-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const winnow = (...args: string[]) => runCommand(args, { database, dataDir });

async function addLead(name: string, day: string, comments: string | null): Promise<void> {
  await database.db
    .insertInto('lead')
    .values({
      id: randomUUID(),
      name,
      email: `${name.toLowerCase()}@example.com`,
      role: 'CTO',
      org: `Engines${ORDERS}`,
      headcount: '201-1000',
      trackers: ['github', 'jira'],
      comments,
      source: 'request-demo',
      created_at: new Date(`${day}T09:30:00Z`),
    })
    .execute();
}

test('prints a sentence if there are no leads', async () => {
  expect(await winnow('leads')).toEqual({
    code: 0,
    output: 'There are no demo requests yet.\n',
    errors: '',
  });
  expect((await winnow('leads', '--json')).output).toBe('[]\n');
});

test('prints the newest lead first, with its comments below, and without control characters', async () => {
  await addLead('Ada', '2026-03-01', null);
  await addLead('Grace', '2026-03-02', `Two lines,\nthe second with ${ORDERS}`);
  const { code, output } = await winnow('leads');
  expect(code).toBe(0);
  expect(output.split('\n')).toEqual([
    expect.stringMatching(/^Received \(UTC\) +Name +Email +Role +Organization +Headcount +Trackers$/),
    expect.stringMatching(
      /^2026-03-02 09:30 +Grace +grace@example\.com +CTO +Engines.* 201-1,000 +GitHub, Jira$/,
    ),
    '    Two lines,',
    expect.stringMatching(/^ {4}the second with/),
    expect.stringMatching(/^2026-03-01 09:30 +Ada /),
    '',
  ]);
  const asJson = await winnow('leads', '--json');
  const leads = z.array(lead.strict()).parse(JSON.parse(asJson.output));
  expect(leads.map(({ name, org }) => [name, org])).toEqual([
    ['Grace', `Engines${ORDERS}`],
    ['Ada', `Engines${ORDERS}`],
  ]);
  for (const printed of [output, asJson.output]) {
    expect([...printed].filter((character) => character !== '\n' && /\p{Cc}/u.test(character))).toEqual([]);
  }
});

test('refuses unknown arguments, and --help lists the known ones', async () => {
  const usage =
    'Usage: winnow leads [--json]\n\nList demo requests, the newest first, as a table or as JSON.\n';
  expect(await winnow('leads', '--csv')).toEqual({ code: 2, output: '', errors: usage });
  expect(await winnow('leads', '--help')).toEqual({ code: 0, output: usage, errors: '' });
  expect((await winnow('--help')).output).toMatch(/^Usage: winnow <command>\n[\s\S]* {2}leads \[--json\] /);
});

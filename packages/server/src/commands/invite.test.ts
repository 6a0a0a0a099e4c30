import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenPair } from '@winnow/contract/account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { type MailServer, startMailServer } from '../platform/testing/mail-server.ts';
import { call } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { startWinnow } from '../testing/running-winnow.ts';
import { runCommand } from './testing/run-command.ts';

const SECRET_KEY = 'one key for the command and the server';
let database: TestDatabase;
let mailServer: MailServer;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-invite-'));
  database = await createTestDatabase();
  mailServer = await startMailServer();
});
afterAll(async () => {
  await database.drop();
  await mailServer.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('prints the link immediately, emails it when Winnow runs, and signs the owner in', async () => {
  const env = { SECRET_KEY, PUBLIC_URL: 'https://winnow.example.org' };
  const { code, output } = await runCommand(['invite', 'grace@example.com'], { database, dataDir, env });
  const [sentence, link = ''] = output.split('\n');
  expect([code, sentence]).toEqual([
    0,
    expect.stringMatching(/^Invited grace@example\.com\. .*seven days:$/),
  ]);
  const { origin, pathname, searchParams } = new URL(link);
  expect(`${origin}${pathname}`).toBe('https://winnow.example.org/welcome');

  const winnow = await startWinnow({
    database,
    env: { SECRET_KEY, SMTP_URL: `smtp://${mailServer.host}`, MAIL_FROM: 'winnow@example.org' },
  });
  try {
    const mail = await eventually(() => mailServer.received[0]);
    expect(mail.to).toEqual(['grace@example.com']);
    expect(mail.parsed.text).toContain(`\n${link}\n`);
    const answer = await call(winnow.origin, 'POST', '/api/v1/auth/complete-onboarding', {
      body: { ...Object.fromEntries(searchParams), password: 'a long enough secret' },
    });
    tokenPair.parse(answer.body);
  } finally {
    await winnow.close();
  }
  const again = await runCommand(['invite', 'Grace@example.com'], { database, dataDir, env });
  expect([again.code, again.output, again.errors]).toEqual([
    1,
    '',
    'This email address already has an account.\n',
  ]);
});

test.each([['nobody'], ['a@example.com, b@example.com']])('refuses an invalid address: %s', async (word) => {
  const { code, errors } = await runCommand(['invite', word], { database, dataDir });
  expect([code, errors]).toEqual([2, `${word} is not an email address.\n`]);
});

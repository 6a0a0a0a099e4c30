import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSecretsOf } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { withClient } from '../platform/one-connection.ts';
import { showRunning } from '../platform/running.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { runCommand } from './testing/run-command.ts';

const KEY = 'the key this database was first used with';
const OTHER = 'a key that somebody has set afterwards';
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-commands-'));
  database = await createTestDatabase();
  await openKey();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Uses the database under the key that is its own. @throws when that is another. */
async function openKey(): Promise<void> {
  const { connection } = database;
  await openSecretsOf({ secretKey: KEY, dataDir }, { connection, log: openLog({ level: 'silent' }) });
}

function winnow(args: string[], secretKey: string) {
  return runCommand(args, { database, dataDir, env: { SECRET_KEY: secretKey } });
}

test.each([['start'], ['worker'], ['invite', 'ada@example.com']])(
  '%s with another key ends at once with one sentence that says what to do',
  async (...args) => {
    const { code, output, errors } = await winnow(args, OTHER);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^SECRET_KEY is not the key this database was first used with\. Set .*\.\n$/);
  },
);

test('doctor tells of another key', async () => {
  const { code, output } = await winnow(['doctor'], OTHER);
  expect(code).toBe(1);
  expect(output).toMatch(/^problem +database: SECRET_KEY is not the key/m);
});

test('accept-key changes nothing beside a running Winnow, nor with words that it does not take', async () => {
  await withClient(database.connection, 'test', async (client) => {
    await showRunning(client);
    expect(await winnow(['accept-key'], OTHER)).toEqual({
      code: 1,
      output: '',
      errors: 'A Winnow runs on this database. Stop every process of it first.\n',
    });
  });
  expect(await winnow(['accept-key', '--dry-run'], OTHER)).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^Usage: winnow accept-key \[--yes\]\n/),
  });
  await openKey();
});

test('accept-key asks before another key is given up, and makes none itself', async () => {
  const asked = await winnow(['accept-key'], OTHER);
  expect([asked.code, asked.errors]).toEqual([
    1,
    expect.stringMatching(/only when that key is lost\.\nType "lost" to go on: .*Nothing was changed\.\n$/s),
  ]);
  expect((await winnow(['accept-key'], KEY)).output).toBe('This key is the database’s own already.\n');
  const none = await winnow(['accept-key', '--yes'], '');
  expect([none.code, none.errors]).toEqual([1, expect.stringMatching(/^There is no key to accept: /)]);
  expect(readdirSync(dataDir)).toEqual([]);
  await openKey();
}, 60_000);

test('once another key was accepted, the former is refused', async () => {
  expect(await winnow(['accept-key', '--yes'], OTHER)).toMatchObject({ code: 0 });
  expect((await winnow(['invite', 'ada@example.com'], OTHER)).code).toBe(0);
  expect((await winnow(['invite', 'bob@example.com'], KEY)).errors).toMatch(/^SECRET_KEY is not the key/);
});

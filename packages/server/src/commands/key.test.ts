import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../platform/dedicated-connection.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { holdInstanceLock } from '../platform/instance-lock.ts';
import { openLog } from '../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { runCommand } from './testing/run-command.ts';

const KEY = 'the key this database was first used with';
const OTHER = 'a different key that was set afterwards';
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

/**
 * Opens the database with its key.
 * @throws if the database belongs to another key
 */
async function openKey(): Promise<void> {
  const { connection } = database;
  await openSecretsOf({ secretKey: KEY, dataDir }, { connection, log: openLog({ level: 'silent' }) });
}

function winnow(args: string[], secretKey: string) {
  return runCommand(args, { database, dataDir, env: { SECRET_KEY: secretKey } });
}

test.each([['start'], ['worker'], ['invite', 'ada@example.com']])(
  '%s with another key exits immediately with a sentence that says what to do',
  async (...args) => {
    const { code, output, errors } = await winnow(args, OTHER);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^SECRET_KEY is not the key this database was first used with\. Set .*\.\n$/);
  },
);

test('doctor reports another key', async () => {
  const { code, output } = await winnow(['doctor'], OTHER);
  expect(code).toBe(1);
  expect(output).toMatch(/^problem +database: SECRET_KEY is not the key/m);
});

test('accept-key changes nothing while Winnow runs, or with unknown arguments', async () => {
  await withClient(database.connection, 'test', async (client) => {
    await holdInstanceLock(client);
    expect(await winnow(['accept-key'], OTHER)).toEqual({
      code: 1,
      output: '',
      errors: 'Winnow is running on this database. Stop all its processes first.\n',
    });
  });
  expect(await winnow(['accept-key', '--dry-run'], OTHER)).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^Usage: winnow accept-key \[--yes\]\n/),
  });
  await openKey();
});

test('accept-key asks for confirmation before it replaces the previous key, and creates no key', async () => {
  const asked = await winnow(['accept-key'], OTHER);
  expect([asked.code, asked.errors]).toEqual([
    1,
    expect.stringMatching(/only if that key is lost\.\nType "lost" to continue: .*Nothing was changed\.\n$/s),
  ]);
  expect((await winnow(['accept-key'], KEY)).output).toBe('This is the database’s key already.\n');
  const none = await winnow(['accept-key', '--yes'], '');
  expect([none.code, none.errors]).toEqual([1, expect.stringMatching(/^There is no key to accept: /)]);
  expect(readdirSync(dataDir)).toEqual([]);
  await openKey();
}, 60_000);

test('after another key was accepted, the previous one is refused', async () => {
  expect(await winnow(['accept-key', '--yes'], OTHER)).toMatchObject({ code: 0 });
  expect((await winnow(['invite', 'ada@example.com'], OTHER)).code).toBe(0);
  expect((await winnow(['invite', 'bob@example.com'], KEY)).errors).toMatch(/^SECRET_KEY is not the key/);
});

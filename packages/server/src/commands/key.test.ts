import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSecretsOf } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { runCommand } from './testing/run-command.ts';

const KEY = 'the key this database was first used with';
const OTHER = 'a key that somebody has set afterwards';
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-commands-'));
  database = await createTestDatabase();
  const { connection } = database;
  await openSecretsOf({ secretKey: KEY, dataDir }, { connection, log: openLog({ level: 'silent' }) });
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

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

test('once another key was accepted, the former is refused', async () => {
  expect(await winnow(['accept-key'], OTHER)).toMatchObject({ code: 0 });
  expect((await winnow(['invite', 'ada@example.com'], OTHER)).code).toBe(0);
  expect((await winnow(['invite', 'bob@example.com'], KEY)).errors).toMatch(/^SECRET_KEY is not the key/);
});

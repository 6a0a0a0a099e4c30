import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import launch from '../../../../tools/run/launch.json' with { type: 'json' };
import { openSecretsOf } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
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

/** Runs a command as an operator does, to its end. */
async function winnow(args: string[], secretKey: string) {
  const { host, port, user, password, database: name } = database.connection;
  const place = new URLSearchParams({
    host: String(host),
    port: String(port),
    user: String(user),
    password: String(password),
  });
  const child = spawn(process.execPath, [...launch.flags, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...launch.env,
      PATH: process.env.PATH,
      DATABASE_URL: `postgres:///${name}?${place}`,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      PORT: '0',
      LOG_LEVEL: 'warn',
    },
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, output, errors };
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

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givePlan } from '../billing/testing/subscribed.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import {
  createEmptyTestDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../platform/testing/database.ts';
import { runCommand } from './testing/run-command.ts';

const ACCOUNT = 'a1b2c3d4-9dc0-41d1-b245-5ffdce74fad2';
let folder: string;
let dataDir: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-backup-command-'));
  dataDir = join(folder, 'data');
  database = await createTestDatabase();
  const { connection } = database;
  await openSecretsOf({ secretKey: undefined, dataDir }, { connection, log: openLog({ level: 'silent' }) });
  await database.db.insertInto('account').values({ id: ACCOUNT }).execute();
  await givePlan(database.db, ACCOUNT, 'pro');
  for (const job of ['a:v1', 'b:v1']) {
    await sql`select graphile_worker.add_job(${job}::text)`.execute(database.db);
  }
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const winnow = (...args: string[]) => runCommand(args, { database, dataDir });

test('a backup states whether it contains the key; if so, a restore elsewhere creates the key file', async () => {
  const without = await winnow('backup', join(folder, 'without'));
  expect([without.code, without.output]).toEqual([
    0,
    expect.stringMatching(
      /^Backed up \d+ rows to .*\nThis backup does not contain the key, .* The key is .*secret\.key: keep a copy/,
    ),
  ]);
  const told = without.errors.trimEnd().split('\n');
  expect(told).toEqual(expect.arrayContaining(['account: 1 row', 'waiting_jobs: 2 rows']));
  const counts = told.map((line) => Number(/: (\d+) rows?$/.exec(line)?.[1]));
  expect(Math.min(...counts)).toBeGreaterThan(0);
  const sum = counts.reduce((before, count) => before + count, 0);
  expect(without.output).toContain(`Backed up ${sum} rows to`);
  expect((await winnow('backup', join(folder, 'without'))).errors).toMatch(/already exists/);
  const file = join(folder, 'with');
  const withKey = await winnow('backup', file, '--with-key');
  expect([withKey.code, withKey.output]).toEqual([
    0,
    expect.stringContaining('THIS BACKUP CONTAINS THE KEY'),
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const other = await createEmptyTestDatabase();
  const place = { database: other as TestDatabase, dataDir: join(folder, 'other') };
  try {
    const env = { LOG_LEVEL: 'info' };
    const keyless = await runCommand(['restore', join(folder, 'without')], { ...place, env });
    expect([keyless.code, keyless.output]).toEqual([
      0,
      expect.stringMatching(/The key of the backup is missing: set SECRET_KEY/),
    ]);
    expect(keyless.errors.split('\n').slice(1)).toEqual(without.errors.split('\n'));
    expect(keyless.output).toContain(`Restored ${sum} rows from the backup of `);
    expect(existsSync(join(place.dataDir, 'secret.key'))).toBe(false);
    // Marked as never read, because the restored subscription may be outdated.
    expect((await other.pool.query('select read_at from subscription')).rows).toEqual([
      { read_at: new Date(0) },
    ]);
    const refused = await runCommand(['restore', file], place);
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringMatching(/The database contains accounts already\. .*--replace/),
    ]);
    const unconfirmed = await runCommand(['restore', file, '--replace'], place);
    expect([unconfirmed.code, unconfirmed.errors]).toEqual([
      1,
      expect.stringMatching(/Nothing was changed\.\n$/),
    ]);
    const { code, output } = await runCommand(['restore', file, '--replace', '--yes'], place);
    expect([code, output]).toEqual([0, expect.stringMatching(/The key matches the backup/)]);
    const key = join('secret.key');
    expect(readFileSync(join(place.dataDir, key), 'utf8')).toBe(readFileSync(join(dataDir, key), 'utf8'));
  } finally {
    await other.drop();
  }
}, 90_000);

test('a backup into a missing folder names the file and the folder', async () => {
  const { code, errors } = await winnow('backup', '/nonexistent/x');
  expect([code, errors]).toEqual([
    1,
    '/nonexistent/x cannot be written. The folder /nonexistent does not exist.\n',
  ]);
});

test('never overwrites another key file', async () => {
  const elsewhere = join(folder, 'elsewhere');
  await openSecretsOf(
    { secretKey: undefined, dataDir: elsewhere },
    { connection: (await otherDatabase()).connection, log: openLog({ level: 'silent' }) },
  );
  const file = join(folder, 'with-key');
  await winnow('backup', file, '--with-key');
  const { code, errors } = await runCommand(['restore', file, '--replace', '--yes'], {
    database,
    dataDir: elsewhere,
  });
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/differs from the key in the backup\. Move it away/),
  ]);
}, 90_000);

test('with SECRET_KEY, the key cannot be included', async () => {
  const env = { SECRET_KEY: 'a key that is long enough for the tests' };
  const refused = await runCommand(['backup', join(folder, 'x'), '--with-key'], { database, dataDir, env });
  expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/^The key is SECRET_KEY/)]);
}, 90_000);

let others: TestDatabase | null = null;
async function otherDatabase(): Promise<TestDatabase> {
  others ??= await createTestDatabase();
  return others;
}
afterAll(() => others?.drop());

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acceptKey, keyProblem, openSecretsOf } from './install-key.ts';
import { openLog } from './log.ts';
import { openSecrets, SecretKeyRefused } from './secrets.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';

const log = openLog({ level: 'silent' });
const KEY = 'an operator chose these characters';
const OTHER = 'and then came up with something else';
let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-key-'));
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const withKey = (secretKey?: string) =>
  openSecretsOf({ secretKey, dataDir }, { connection: database.connection, log });

async function stored(): Promise<unknown[]> {
  return (await sql`select * from install_key`.execute(database.db)).rows;
}

describe('a database that was used with a key', () => {
  test('accepts the same key again, and refuses any other key with a sentence that says what to do', async () => {
    await withKey(KEY);
    await withKey(KEY);
    const before = await stored();
    await expect(withKey(OTHER)).rejects.toThrow(SecretKeyRefused);
    await expect(withKey(OTHER)).rejects.toThrow(
      /^SECRET_KEY is not .* Set the previous one, or remove it if/,
    );
    await expect(withKey()).rejects.toThrow(/^The key file in .* Restore the previous secret\.key, or set/);
    await expect(withKey(OTHER)).rejects.toThrow(/winnow accept-key/);
    expect(await stored()).toEqual(before);
  });

  test('accepts another key if the operator requests it, and then only that key', async () => {
    await withKey(KEY);
    await acceptKey(database.db, await openSecrets({ secretKey: OTHER, dataDir }));
    await withKey(OTHER);
    await expect(withKey(KEY)).rejects.toThrow(SecretKeyRefused);
  });
});

test('one of two concurrent first starts with different keys is refused', async () => {
  const outcomes = await Promise.allSettled([withKey(KEY), withKey(OTHER), withKey(KEY), withKey(OTHER)]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
});

test('checking a key does not make it the key of the database', async () => {
  const source = { secretKey: KEY, dataDir };
  expect(await keyProblem(database.db, await openSecrets(source), source)).toBeNull();
  expect(await stored()).toEqual([]);
});

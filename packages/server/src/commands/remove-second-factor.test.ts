import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { runCommand } from './testing/run-command.ts';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-factor-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

function remove(...more: string[]) {
  return runCommand(['remove-second-factor', ...more], { database, dataDir });
}

test('removes the second factors of this user only, records it and mails the user', async () => {
  expect(await remove('ada', '--yes')).toMatchObject({
    code: 1,
    errors: 'No user has this username or email address.\n',
  });
  const { db } = database;
  const users = ['ada', 'eve'].map((username) => ({ username, account_id: randomUUID(), id: randomUUID() }));
  for (const { username, account_id, id } of users) {
    await db.insertInto('account').values({ id: account_id }).execute();
    await db
      .insertInto('app_user')
      .values({ account_id, id, username, email: `${username}@example.com`, state: 'active' })
      .execute();
  }
  expect(await remove('Ada', '--yes')).toMatchObject({
    code: 1,
    errors: 'This user has no second factor.\n',
  });
  for (const { account_id, id: user_id } of users) {
    await db
      .insertInto('authenticator')
      .values({ account_id, user_id, id: randomUUID(), sealed_secret: Buffer.of(1), added_at: new Date() })
      .execute();
    await db
      .insertInto('passkey')
      .values({
        ...{ account_id, user_id, id: randomUUID(), name: 'Key', transports: [], sign_count: 0 },
        ...{ credential_id: Buffer.from(user_id), public_key: Buffer.of(1), synced: false },
        created_at: new Date(),
      })
      .execute();
    await db
      .insertInto('recovery_code')
      .values({ account_id, user_id, code_hash: Buffer.of(1) })
      .execute();
  }

  const unconfirmed = await remove('ada');
  expect(unconfirmed.code).toBe(1);
  expect(unconfirmed.errors).toContain(
    'The authenticator app, the passkeys and the recovery codes of ada (ada@example.com) will be removed.',
  );
  expect(await remove('ADA@example.com', '--yes')).toMatchObject({
    code: 0,
    output: 'ada@example.com can sign in with the password only.\n',
  });
  const [ada, eve] = users;
  for (const table of ['authenticator', 'passkey', 'recovery_code'] as const) {
    const rows = await db.selectFrom(table).select('account_id').execute();
    expect(rows.map(({ account_id }) => account_id)).toEqual([eve?.account_id]);
  }
  const events = await db.selectFrom('account_event').select(['account_id', 'kind', 'detail']).execute();
  expect(events).toEqual([
    {
      account_id: ada?.account_id,
      kind: 'second_factors_removed',
      detail: 'By the operator of this server',
    },
  ]);
  const { rows } = await sql<{ mailed: boolean }>`
    select payload::jsonb ? 'sealed' as mailed from graphile_worker._private_jobs
  `.execute(db);
  expect(rows).toEqual([{ mailed: true }]);
});

import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secretContext } from '../accounts/second-factors/factor-checks.ts';
import { openSecretsOf } from '../platform/install-key.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { openLog } from '../platform/log.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import { createNextKey, openSecrets, secretsUnder } from '../platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { call, signInCaller } from '../testing/caller.ts';
import { connect, differentIssues, startGitHub, syncAgain, whenSynced } from '../testing/github.ts';
import { startWinnow } from '../testing/running-winnow.ts';
import { resealAll } from './reseal.ts';
import { SEALED_COLUMNS, SEALED_FIELDS } from './sealed-values.ts';
import { runCommand } from './testing/run-command.ts';

const OLD = 'the first key, as long as it has to be';
const NEW = 'another key, as long as it has to be too';
const log = openLog({ level: 'silent' });
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-rotate-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('reseals every sealed column, and no other code seals values', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and column_name like '%sealed%'
  `.execute(database.db);
  expect(SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(
    rows.map(({ name }) => name).sort(),
  );
  // If another file seals secrets, it may store them in a new column. Add that column to
  // sealed-values.ts, and the file to this list.
  expect(filesWith(/\.seal\(/)).toEqual([
    'accounts/second-factors/factor-checks.ts',
    'accounts/second-factors/service.ts',
    'ai/service.ts',
    'commands/reseal.ts',
    'mcp-servers/stored-secret.ts',
    'platform/mail/mail-queue.ts',
    'tracker-events/webhook-secret.ts',
    'trackers/connections.ts',
    'trackers/service.ts',
  ]);
  expect(filesWith(/\bsealed\w*: z\./)).toEqual(['platform/mail/mail-queue.ts', 'tracker-events/job.ts']);
  expect(SEALED_FIELDS).toHaveLength(2);
});

test('trackers are still synced, waiting emails are readable, and all users must sign in again', async () => {
  const github = await startGitHub(differentIssues(3));
  try {
    const before = await startWinnow({ database, env: { SECRET_KEY: OLD } });
    const caller = await before.newCaller();
    const { id } = await connect(caller, github);
    await whenSynced(caller, id);
    await refuses('Winnow is running on this database.');
    await before.close();
    const secrets = await openSecrets({ secretKey: OLD, dataDir });
    const jobs = new Jobs({ db: database.db, connection: database.connection, log, exclusive: false });
    const mail = { to: 'ada@example.com', kind: 'a mail that waits', subject: 's', text: 't', html: 'h' };
    await new MailQueue({ jobs, secrets }).add(mail);
    await sealEverywhere(OLD);

    await refuses('SECRET_KEY is not the key', { SECRET_KEY: `${OLD}er` });
    const { code, output } = await rotate({ SECRET_KEY: OLD, NEW_SECRET_KEY: NEW });
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Sealed \d+ stored secrets with the new key\. All users must sign in again\.\n/),
    ]);
    expect(output).not.toContain('could not be read');
    await openEverywhere(NEW);
    expect((await rotate({ SECRET_KEY: OLD, NEW_SECRET_KEY: NEW })).output).toMatch(/key already/);

    const after = await startWinnow({ database, env: { SECRET_KEY: NEW } });
    try {
      const { access_token: token, refresh_token } = caller.tokens;
      expect((await call(after.origin, 'GET', '/api/v1/auth/users/me', { token })).status).toBe(401);
      const refreshed = await call(after.origin, 'POST', '/api/v1/auth/refresh', { body: { refresh_token } });
      expect(refreshed.status).toBe(401);
      const again = await signInCaller(after.origin, caller.name, caller.password);
      await syncAgain(again, id);
    } finally {
      await after.close();
    }
  } finally {
    await github.close();
  }
}, 90_000);

test('values sealed with an earlier key are unchanged and reported', async () => {
  const own = await createTestDatabase();
  try {
    const [lost, from, to] = await Promise.all(
      ['lost', 'from', 'to'].map((name) =>
        openSecrets({ secretKey: `${name} is long enough to be a key here`, dataDir }),
      ),
    );
    if (!lost || !from || !to) throw new Error('There are three keys.');
    const account = randomUUID();
    await own.db.insertInto('account').values({ id: account }).execute();
    const sealed_key = lost.seal('x', 'elsewhere');
    const model = {
      provider_name: 'custom',
      model_identifier: 'm',
      api_url: 'u',
      is_default: false,
    } as const;
    await own.db
      .insertInto('ai_model')
      .values({ ...model, account_id: account, id: randomUUID(), name: 'Mine', sealed_key })
      .execute();
    expect(await resealAll(own.db, { from, to }, new Date())).toEqual({ values: 0, unreadable: 1 });
    const row = await own.db.selectFrom('ai_model').select('sealed_key').executeTakeFirstOrThrow();
    expect(row.sealed_key).toEqual(sealed_key);
  } finally {
    await own.drop();
  }
});

test('replaces a key file, saves the previous one, and completes an interrupted rotation', async () => {
  const own = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'winnow-rotate-file-'));
  const place = { database: own, dataDir: folder };
  try {
    await openSecretsOf({ secretKey: undefined, dataDir: folder }, { connection: own.connection, log });
    const first = readFileSync(join(folder, 'secret.key'), 'utf8');
    expect(await runCommand(['rotate-key'], place)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /all users are signed out, .*\nType "rotate" .*Nothing was changed\.\n$/s,
      ),
    });
    expect(readdirSync(folder)).toEqual(['secret.key']);
    expect(await runCommand(['rotate-key', '--yes'], place)).toMatchObject({ code: 0, errors: '' });
    const second = readFileSync(join(folder, 'secret.key'), 'utf8');
    expect(second).not.toBe(first);
    const former = readdirSync(folder).find((name) => name.startsWith('secret.key.until-')) ?? '';
    expect(readFileSync(join(folder, former), 'utf8')).toBe(first);
    for (const name of [former, 'secret.key']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);

    // Simulates a crash after everything was resealed and before the key file was replaced.
    const from = await openSecrets({ dataDir: folder });
    await resealAll(own.db, { from, to: secretsUnder(await createNextKey(folder)) }, new Date());
    const next = readFileSync(join(folder, 'secret.key.next'), 'utf8');
    expect((await runCommand(['invite', 'ada@example.com'], place)).errors).toMatch(
      /^A key rotation was interrupted\. Run "winnow rotate-key" again/,
    );
    expect(await runCommand(['accept-key', '--yes'], place)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/secret\.key\.next .* Run "winnow rotate-key" to complete it\.\n$/),
    });
    expect(await runCommand(['rotate-key'], place)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'secret.key'), 'utf8')).toBe(next);
    expect((await runCommand(['invite', 'ada@example.com'], place)).code).toBe(0);

    // Simulates a crash before anything was resealed. The key that it leaves behind may be in use,
    // so it must be saved.
    await createNextKey(folder);
    const left = readFileSync(join(folder, 'secret.key.next'), 'utf8');
    expect(await runCommand(['rotate-key', '--yes'], place)).toMatchObject({ code: 0, errors: '' });
    const unused = readdirSync(folder).filter((name) => name.startsWith('secret.key.unused-'));
    expect(unused.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([left]);
    expect(readFileSync(join(folder, 'secret.key'), 'utf8')).not.toBe(left);
  } finally {
    await own.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 90_000);

test('without a new key for SECRET_KEY, or with one that is too short, says what is required', async () => {
  expect(await rotate({ SECRET_KEY: OLD })).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/^Specify the new key/),
  });
  expect(await rotate({ SECRET_KEY: OLD, NEW_SECRET_KEY: 'short' })).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^NEW_SECRET_KEY is too short/),
  });
});

function rotate(env: Record<string, string>) {
  return runCommand(['rotate-key', '--yes'], { database, dataDir, env });
}

async function refuses(sentence: string, env: Record<string, string> = {}): Promise<void> {
  const { code, errors } = await rotate({ SECRET_KEY: OLD, NEW_SECRET_KEY: NEW, ...env });
  expect([code, errors.startsWith(sentence)]).toEqual([1, true]);
}

/** Writes a sealed value to every column and job that can contain one, in the first account. */
async function sealEverywhere(secretKey: string): Promise<void> {
  const secrets = await openSecrets({ secretKey, dataDir });
  const { db } = database;
  const { account_id } = await db.selectFrom('tracker').select('account_id').executeTakeFirstOrThrow();
  const owner = { account_id, id: randomUUID(), name: 'Mine' };
  await db
    .insertInto('ai_model')
    .values({ ...owner, provider_name: 'custom', model_identifier: 'm', api_url: 'u', is_default: false })
    .execute();
  await db
    .insertInto('mcp_server')
    .values({ ...owner, url: 'u', auth_type: 'bearer' })
    .execute();
  const user = await db
    .selectFrom('app_user')
    .select('id')
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow();
  const sealed_secret = secrets.seal('a secret', secretContext(account_id, owner.id));
  await db
    .insertInto('authenticator')
    .values({ account_id, id: owner.id, user_id: user.id, sealed_secret })
    .execute();
  for (const { table, column, context } of SEALED_COLUMNS) {
    const { rows } = await sql<{ account_id: string; id: string; is_sealed: boolean }>`
      select account_id, id, ${sql.ref(column)} is not null as is_sealed from ${sql.table(table)}
    `.execute(db);
    for (const row of rows.filter(({ is_sealed }) => !is_sealed)) {
      const sealed = secrets.seal(`${table}.${column}`, context(row.account_id, row.id));
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed} where id = ${row.id}`.execute(
        db,
      );
    }
  }
}

/**
 * Opens all values that {@link sealEverywhere} wrote, and those in waiting jobs.
 * @throws if a value cannot be opened
 */
async function openEverywhere(secretKey: string): Promise<void> {
  const secrets = await openSecrets({ secretKey, dataDir });
  for (const { table, column, context } of SEALED_COLUMNS) {
    const { rows } = await sql<{ account_id: string; id: string; sealed: Buffer }>`
      select account_id, id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    `.execute(database.db);
    expect(rows.length).toBeGreaterThan(0);
    for (const { account_id, id, sealed } of rows) secrets.open(sealed, context(account_id, id));
  }
  const { rows: mails } = await sql<{ payload: Record<string, string> }>`
    select payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = task_id where identifier = 'send-mail:v1'
  `.execute(database.db);
  const texts = mails.map(({ payload }) =>
    secrets.open(Buffer.from(payload.sealed ?? '', 'base64'), `mail:${payload.id}`),
  );
  expect(texts.join()).toContain('a mail that waits');
}

function filesWith(pattern: RegExp): string[] {
  const root = join(import.meta.dirname, '..');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(name))
    .filter((name) => pattern.test(readFileSync(join(root, name), 'utf8')))
    .sort();
}

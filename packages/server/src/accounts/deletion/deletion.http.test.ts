import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentUser } from '@winnow/contract/account';
import { createdApiKey } from '@winnow/contract/api-key';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, call, failureOf, registerCaller } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { countRows, fillAccount, RECOVERY_CODE, tablesOfAccounts } from '../../testing/full-account.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { EXPORTED_TABLES } from './exported-tables.ts';

let winnow: RunningWinnow;
beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

async function exported(token: string): Promise<Map<string, string>> {
  const answer = await fetch(`${winnow.origin}/api/v1/auth/account/export`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="winnow-account.tar.gz"');
  return filesOf(Buffer.from(await answer.arrayBuffer()));
}

/** Unpacks the files of an archive with the system's tar. */
function filesOf(archive: Buffer): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-export-'));
  try {
    execFileSync('tar', ['-xz', '-C', folder], { input: archive });
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function columnsOf(): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as "table", array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = current_schema() group by table_name
  `.execute(winnow.database.db);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

describe('an export', () => {
  test('covers every table of the database and says why one is left out', async () => {
    const columns = await columnsOf();
    const ofThePlatform = ['event_sequence', 'install_key', 'kysely_migration', 'kysely_migration_lock'];
    expect(Object.keys(EXPORTED_TABLES).sort()).toEqual(
      [...columns.keys()].filter((table) => !ofThePlatform.includes(table)).sort(),
    );
    for (const [table, exported] of Object.entries(EXPORTED_TABLES)) {
      if ('leftOut' in exported) expect(exported.leftOut).toMatch(/\.$/);
      else expect(columns.get(table)).toEqual(expect.arrayContaining([...exported.columns]));
    }
  });

  test('contains no secret columns', () => {
    const columns = Object.values(EXPORTED_TABLES).flatMap((exported) =>
      'columns' in exported ? [...exported.columns] : [],
    );
    // These columns are no secrets: the `key` of an issue and the `key_id` of a use are names,
    // token columns are counts, and `password_required` is true or false.
    const allowed = [
      'key',
      'key_id',
      'key_name',
      'target_key',
      'parent_key',
      'umbrella_key',
      'input_tokens',
      'output_tokens',
      'password_required',
    ];
    const suspicious = columns.filter((column) => /sealed|hash|token|secret|password|key|_as$/.test(column));
    expect(suspicious.filter((column) => !allowed.includes(column))).toEqual([]);
  });

  test('has a line for each row of the account and none of another account', async () => {
    const [caller, stranger] = [await registerCaller(winnow.origin), await registerCaller(winnow.origin)];
    const accountId = await fillAccount(winnow.database.db, caller);
    const strangerId = await fillAccount(winnow.database.db, stranger);
    const files = await exported(caller.tokens.access_token);
    for (const [table, exported] of Object.entries(EXPORTED_TABLES)) {
      if ('leftOut' in exported) continue;
      const lines = (files.get(`${exported.file}.ndjson`) ?? '').split('\n').slice(0, -1);
      const rows: object[] = lines.map((line) => JSON.parse(line));
      const expected = table === 'account' ? 1 : await countRows(winnow.database.db, accountId, table);
      expect([table, rows.length]).toEqual([table, expected]);
      for (const row of rows) expect(Object.keys(row)).toEqual(exported.columns);
    }
    expect(files.get('change-steps.ndjson')).toContain(JSON.stringify('tab\t, \\ and é').slice(1, -1));
    expect(files.get('README.md')).toMatch(/\| issues\.ndjson \| \d+ \|/);
    const everything = [...files.values()].join('\n');
    expect(everything).toContain(accountId);
    expect(everything).not.toContain(strangerId);
    expect(everything).not.toContain(stranger.name);
  }, 120_000);

  test('is for users, not for API keys or visitors', async () => {
    const caller = await registerCaller(winnow.origin);
    const body = { name: 'Key', scopes: ['read', 'write'], expires_at: null };
    const { key } = await caller.send('POST', '/auth/api-keys', body, createdApiKey);
    const path = '/api/v1/auth/account/export';
    failureOf(await call(winnow.origin, 'GET', path, { token: key }), 403);
    failureOf(await call(winnow.origin, 'GET', path), 401);
    failureOf(await call(winnow.origin, 'DELETE', '/api/v1/auth/account', { token: key }), 403);
  });

  test('runs once at a time per account, and again after an interrupted one', async () => {
    const caller = await registerCaller(winnow.origin);
    const { account_id: accountId } = await caller.get('/auth/users/me', currentUser);
    await winnow.database.db.connection().execute(async (holding) => {
      await sql`select pg_advisory_lock(hashtextextended('export:' || ${accountId}, 0))`.execute(holding);
      expect(await caller.fail('GET', '/auth/account/export', 409)).toMatchObject({ code: 'export_running' });
      await sql`select pg_advisory_unlock_all()`.execute(holding);
    });
    const aborting = new AbortController();
    const answer = await fetch(`${winnow.origin}/api/v1/auth/account/export`, {
      headers: { authorization: `Bearer ${caller.tokens.access_token}` },
      signal: aborting.signal,
    });
    expect(answer.status).toBe(200);
    aborting.abort();
    await eventually(async () => (await caller.call('GET', '/auth/account/export')).status === 200);
  });

  test('waits while six others are read, and starts when one ends', async () => {
    const { db } = winnow.database;
    const path = '/auth/account/export';
    const callers = await Promise.all(Array.from({ length: 7 }, () => registerCaller(winnow.origin)));
    const [late, ...early] = callers as [Caller, ...Caller[]];
    const running = await db.transaction().execute(async (holding) => {
      // The export waits for this table until the transaction ends.
      await sql`lock table flow_log in access exclusive mode`.execute(holding);
      const started = early.map((caller) => caller.call('GET', path));
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and application_name = 'winnow export'
            and wait_event_type = 'Lock'
        `.execute(db);
        return rows.length === 6;
      });
      return [...started, late.call('GET', path)];
    });
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array(7).fill(200));
  });
});

describe('deleting an account', () => {
  const path = '/auth/account';

  test('needs the username and the password, and changes nothing without them', async () => {
    const caller = await registerCaller(winnow.origin);
    const { name, password } = caller;
    const wrongName = { username: `${name}x`, current_password: password };
    expect(await caller.fail('DELETE', path, 422, wrongName)).toMatchObject({
      fields: [{ path: 'username', message: 'This is not your username.' }],
    });
    const wrongPassword = { username: name, current_password: 'another long secret' };
    expect(await caller.fail('DELETE', path, 400, wrongPassword)).toMatchObject({
      detail: 'Current password is incorrect.',
    });
    await caller.get('/auth/users/me', currentUser);
  });

  test('limits wrong passwords like those of signing in', async () => {
    const caller = await registerCaller(winnow.origin);
    const wrong = { username: caller.name, current_password: 'another long secret' };
    for (let count = 0; count < 10; count += 1) await caller.fail('DELETE', path, 400, wrong);
    await caller.fail('DELETE', path, 429, { ...wrong, current_password: caller.password });
  });

  test('ends all access immediately, and leaves nothing of the account in any table', async () => {
    const { db } = winnow.database;
    const [caller, stranger] = [await registerCaller(winnow.origin), await registerCaller(winnow.origin)];
    const accountId = await fillAccount(db, caller);
    const strangerId = await fillAccount(db, stranger);
    const before = await rowsOf(strangerId);
    const { key } = await caller.send(
      'POST',
      '/auth/api-keys',
      { name: 'Key', scopes: ['read'], expires_at: null },
      createdApiKey,
    );
    const request = { username: caller.name, current_password: caller.password };
    const unproved = await caller.fail('DELETE', path, 400, request);
    expect(unproved.code, 'the account has a passkey').toBe('passkey_required');
    const wrong = await caller.fail('DELETE', path, 400, { ...request, code: '000000' });
    expect(wrong.code).toBe('wrong_code');
    await caller.do('DELETE', path, { ...request, code: RECOVERY_CODE });

    await caller.fail('GET', '/auth/users/me', 401);
    failureOf(await call(winnow.origin, 'GET', '/api/v1/issues-count', { token: key }), 401);
    failureOf(
      await call(winnow.origin, 'POST', '/api/v1/auth/token/json', {
        body: { username: caller.name, password: caller.password },
      }),
      401,
    );
    failureOf(
      await call(winnow.origin, 'POST', '/api/v1/auth/refresh', {
        body: { refresh_token: caller.tokens.refresh_token },
      }),
      401,
    );
    await eventually(async () => Object.values(await rowsOf(accountId)).every((count) => count === 0));
    const { rows: accounts } = await sql`select id from account where id = ${accountId}`.execute(db);
    expect(accounts).toEqual([]);
    expect(await rowsOf(strangerId)).toEqual(before);
    // The name and the address are available again.
    const again = { username: caller.name, email: `${caller.name}@example.com`, password: caller.password };
    expect((await call(winnow.origin, 'POST', '/api/v1/auth/register', { body: again })).status).toBe(201);
  }, 120_000);

  test('continues after the removing process was killed', async () => {
    const { db } = winnow.database;
    const accountId = randomUUID();
    // Creates the state after a process was killed between locking and removing, with its job lost.
    await db.insertInto('account').values({ id: accountId, leaving_at: new Date() }).execute();
    const other = await startWinnow({ database: winnow.database });
    try {
      await eventually(
        async () =>
          (await db.selectFrom('account').select('id').where('id', '=', accountId).execute()).length === 0,
      );
    } finally {
      await other.close();
    }
  });

  async function rowsOf(accountId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const table of await tablesOfAccounts(winnow.database.db)) {
      counts[table] = await countRows(winnow.database.db, accountId, table);
    }
    return counts;
  }
});

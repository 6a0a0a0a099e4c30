import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { currentUser } from '@winnow/contract/account';
import { type ApiKey, apiKeyList, createdApiKey } from '@winnow/contract/api-key';
import { change, changePreview } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { tracker } from '@winnow/contract/tracker';
import { apiUsage } from '@winnow/contract/usage';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../platform/clock.ts';
import { type Caller, call, failureOf, type Method } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { listenLive } from '../../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { newKey } from './key.ts';

const REFUSED = {
  code: 'unauthorized',
  detail: 'This API key is not valid. It may be mistyped, expired or revoked.',
};

let winnow: RunningWinnow;
let caller: Caller;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());
beforeEach(async () => {
  caller = await winnow.newCaller();
});

const create = (fields: Record<string, unknown> = {}) =>
  caller.send('POST', '/auth/api-keys', { name: 'Laptop', ...fields }, createdApiKey);
const list = () => caller.get('/auth/api-keys', apiKeyList);
const revoke = ({ id }: Pick<ApiKey, 'id'>) => caller.do('DELETE', `/auth/api-keys/${id}`);
const withKey = (key: string, method: Method, path: string, body?: unknown) =>
  call(winnow.origin, method, `/api/v1${path}`, { token: key, body });
const search = (key: string) => withKey(key, 'GET', '/search');
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** Moves the expiry of a key into the past. */
async function expire({ id }: Pick<ApiKey, 'id'>): Promise<void> {
  const { db } = winnow.database;
  const past = new Date(Date.now() - 1);
  await db.updateTable('api_key').set({ expires_at: past }).where('id', '=', id).execute();
}

describe('a new key', () => {
  test('is not created by a session that ends meanwhile', async () => {
    const { account_id: accountId } = await caller.get('/auth/users/me', currentUser);
    const making = await winnow.database.db.transaction().execute(async (transaction) => {
      await sql`select from account where id = ${accountId} for no key update`.execute(transaction);
      const answer = caller.call('POST', '/auth/api-keys', { name: 'Too late' });
      await eventually(async () => {
        const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"account"%'`;
        return (await waiting.execute(winnow.database.db)).rows.length > 0;
      });
      await sql`update session set revoked_at = now() where account_id = ${accountId}`.execute(transaction);
      // The promise is returned within an object, so that `await` does not wait for it here.
      return { answer };
    });
    failureOf(await making.answer, 401);
  });

  test('is returned once, listed by its first characters, and stored as a hash', async () => {
    const { key, ...listed } = await create({ expires_at: inDays(7), scopes: ['write', 'read', 'read'] });
    expect(key).toMatch(/^wnw_[0-9A-Za-z]{46}$/);
    expect(listed).toMatchObject({ name: 'Laptop', scopes: ['read', 'write'], last_used_at: null });
    expect(key.startsWith(listed.prefix)).toBe(true);
    expect(listed.prefix.length).toBeLessThan(12);
    expect(await list()).toEqual([listed]);
    await search(key);
    const [, ...later] = caller.answers;
    expect(later.join()).not.toContain(key.slice(12));
    const rows = await winnow.database.db.selectFrom('api_key').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(12));
    expect(JSON.stringify(winnow.logLines)).not.toContain(key.slice(12));
  });

  test('with only a name never expires and has every scope', async () => {
    const { expires_at, scopes } = await create({ expires_at: null });
    expect([expires_at, scopes]).toEqual([null, ['read', 'propose', 'write']]);
  });

  test('can have a name in any script', async () => {
    const names = ['Größe 日本語', 'می\u200cخواهم', 'Laptop ❤\ufe0f 👩\u200d💻', '$'];
    for (const name of names) expect((await create({ name })).name).toBe(name);
  });

  test('may expire at an instant with any offset, or at the start of a day', async () => {
    expect((await create({ expires_at: '2999-01-31T10:00:00+02:00' })).expires_at).toBe(
      '2999-01-31T08:00:00.000Z',
    );
    expect((await create({ expires_at: '2999-01-31' })).expires_at).toBe('2999-01-31T00:00:00.000Z');
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['a name of spaces', { name: '  ' }, 'name'],
    ['a name of 101 characters', { name: 'a'.repeat(101) }, 'name'],
    ['a name that is none', { name: 7 }, 'name'],
    ['an invisible name', { name: '\u200b' }, 'name'],
    ['a name of combining marks only', { name: '\u0301' }, 'name'],
    ['a name with hidden characters', { name: 'Lap\u200btop' }, 'name'],
    ['a name that turns the direction of writing', { name: '\u202elive' }, 'name'],
    ['a name of two lines', { name: 'Laptop\nRevoked' }, 'name'],
    ['a name that rings', { name: 'Laptop\u0007' }, 'name'],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00.000Z' }, 'expires_at'],
    ['an end that is no date', { expires_at: 'tomorrow' }, 'expires_at'],
    ['an end on a day that there is not', { expires_at: '2999-02-30' }, 'expires_at'],
    ['an end after the year 9999', { expires_at: '9999-12-31T23:59:59-23:59' }, 'expires_at'],
    ['no scopes', { scopes: [] }, 'scopes'],
    ['a scope that is none', { scopes: ['read', 'admin'] }, 'scopes.1'],
  ])('with %s is refused at its field', async (_what, changes, path) => {
    const failure = await caller.fail('POST', '/auth/api-keys', 422, { name: 'Laptop', ...changes });
    expect(failure.fields?.map((field) => field.path)).toEqual([path]);
    expect(await list()).toEqual([]);
  });

  test('is the hundredth at most, even for concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 104 }, (_, index) =>
        caller.call('POST', '/auth/api-keys', { name: `Key ${index}` }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map((answer) => failureOf(answer, 409).code)).toEqual(Array(4).fill('too_many_api_keys'));
    const [first] = await list();
    if (first) await revoke(first);
    await create();
    expect(await list()).toHaveLength(100);
  });
});

describe('a key is refused', () => {
  test('if it is malformed, unknown, expired, revoked, or its user was deleted; always with the same text', async () => {
    const [expired, revoked, known] = [await create(), await create(), await create()];
    expect((await search(expired.key)).status).toBe(200);
    expect((await search(revoked.key)).status).toBe(200);
    await expire(expired);
    await revoke(revoked);
    const gone = await winnow.newCaller();
    const { id, key: orphan } = await gone.send('POST', '/auth/api-keys', { name: 'Gone' }, createdApiKey);
    const { db } = winnow.database;
    const { user_id } = await db
      .selectFrom('api_key')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await db.deleteFrom('app_user').where('id', '=', user_id).execute();
    const cut = known.key.slice(0, -1);
    const mistyped = `${cut}${known.key.endsWith('a') ? 'b' : 'a'}`;
    for (const key of [cut, mistyped, 'wnw_', newKey(), expired.key, revoked.key, orphan]) {
      const answer = await search(key);
      expect(failureOf(answer, 401)).toEqual(REFUSED);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect((await search(known.key)).status).toBe(200);
  });

  test('anywhere but in the one header', async () => {
    const { key } = await create();
    for (const path of [`/search?api_key=${key}`, `/search?access_token=${key}`, `/search?token=${key}`]) {
      expect((await call(winnow.origin, 'GET', `/api/v1${path}`)).status).toBe(401);
    }
    for (const headers of [
      { 'x-api-key': key },
      { cookie: `token=${key}` },
      { authorization: key },
      { authorization: `Basic ${btoa(`${key}:`)}` },
    ]) {
      expect((await call(winnow.origin, 'GET', '/api/v1/search', { headers })).status).toBe(401);
    }
    expect(JSON.stringify(winnow.logLines)).not.toContain(key.slice(12));
  });

  test('next to another credential, in either order', async () => {
    const { key } = await create();
    const statusOf = (values: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = values.flatMap((value) => ['authorization', `Bearer ${value}`]);
        headers.push('host', new URL(winnow.origin).host);
        httpRequest(`${winnow.origin}/api/v1/search`, { headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await statusOf([key])).toBe(200);
    expect(await statusOf([key, caller.tokens.access_token])).toBe(401);
    expect(await statusOf([caller.tokens.access_token, key])).toBe(401);
  });

  test('by the live channel', async () => {
    const { key } = await create();
    expect(await (await listenLive(winnow.origin, key)).closed).toBe(4401);
  });

  test('by the routes for API keys, its own included', async () => {
    const { key, id } = await create();
    for (const answer of [
      await withKey(key, 'GET', '/auth/api-keys'),
      await withKey(key, 'POST', '/auth/api-keys', { name: 'Another' }),
      await withKey(key, 'DELETE', `/auth/api-keys/${id}`),
    ]) {
      expect(failureOf(answer, 403).code).toBe('user_required');
    }
    expect(await list()).toHaveLength(1);
  });
});

test('revoking ends a key in every process immediately, and only once; others stay valid', async () => {
  const other = await startWinnow({ database: winnow.database });
  try {
    const [kept, revoked] = [await create({ name: 'Kept' }), await create({ name: 'Revoked' })];
    const statusOn = async (origin: string, key: string) =>
      (await call(origin, 'GET', '/api/v1/search', { token: key })).status;
    expect(await statusOn(other.origin, revoked.key)).toBe(200);
    await revoke(revoked);
    expect(await statusOn(other.origin, revoked.key)).toBe(401);
    expect(await statusOn(other.origin, kept.key)).toBe(200);
    await caller.fail('DELETE', `/auth/api-keys/${revoked.id}`, 404);
    await caller.fail('DELETE', `/auth/api-keys/${randomUUID()}`, 404);
    await caller.fail('DELETE', '/auth/api-keys/none', 422);
    expect((await list()).map(({ name }) => name)).toEqual(['Kept']);
  } finally {
    await other.close();
  }
});

test('a key only reads its account', async () => {
  const stranger = await winnow.newCaller();
  await connectSample(stranger);
  const { key } = await create();
  const { total } = pairList.parse((await withKey(key, 'GET', '/issue-duplicates?status=all')).body);
  expect(total).toBe(0);
});

test('requests with a key are counted for it and for the account; those of users and refused ones are not', async () => {
  const [used, unused] = [await create({ name: 'Used' }), await create({ name: 'Unused' })];
  const before = Date.now();
  await Promise.all(Array.from({ length: 20 }, () => search(used.key)));
  expect((await withKey(used.key, 'GET', '/trackers')).status).toBe(403);
  await search(newKey());
  expect(await caller.get('/auth/api-usage', apiUsage)).toMatchObject({ total_requests: 21 });
  const byName = new Map((await list()).map((key) => [key.name, key]));
  expect(byName.get('Unused')).toMatchObject({ id: unused.id, requests: 0, last_used_at: null });
  const { requests, last_used_at } = byName.get('Used') ?? {};
  expect(requests).toBe(21);
  expect(Date.parse(last_used_at ?? '')).toBeGreaterThanOrEqual(before);
});

test('every process reports the uses of a key, and the one that responded does so at once; listing stores nothing', async () => {
  const other = await startWinnow({ database: winnow.database });
  try {
    const { key, id } = await create();
    await search(key);
    await call(other.origin, 'GET', '/api/v1/search', { token: key });
    const stored = async () =>
      (
        await winnow.database.db.selectFrom('api_key').select('last_used_at').where('id', '=', id).execute()
      )[0];
    const [listed] = await list();
    expect(listed?.last_used_at).not.toBeNull();
    expect(await stored()).toEqual({ last_used_at: null });
    await eventually(async () => (await list())[0]?.requests === 2);
  } finally {
    await other.close();
  }
  expect((await list())[0]).toMatchObject({ requests: 2 });
});

test('a rate-limited key gets Retry-After, and others are not affected', async () => {
  const small = await startWinnow({
    database: winnow.database,
    env: { API_KEY_RATE_LIMIT: '5' },
  });
  try {
    const [busy, other] = [await create({ name: 'Busy' }), await create({ name: 'Other' })];
    const ask = (key: string) => call(small.origin, 'GET', '/api/v1/search', { token: key });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(busy.key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) {
      expect(failureOf(answer, 429).code).toBe('rate_limited');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await ask(other.key)).status).toBe(200);
    const counted = await call(small.origin, 'GET', '/api/v1/auth/api-usage', {
      token: caller.tokens.access_token,
    });
    expect(counted.body).toMatchObject({ total_requests: 6 });
  } finally {
    await small.close();
  }
  // A stopping process stores the uses of keys that are not stored yet.
  const requests = (await list()).map((key) => [key.name, key.requests]);
  expect(requests).toEqual(
    expect.arrayContaining([
      ['Busy', 5],
      ['Other', 1],
    ]),
  );
});

describe('in the ledger', () => {
  test('a key that may propose asks under its own name, a user approves, and it cannot write itself', async () => {
    await connectSample(caller);
    const proposer = await create({ name: 'Triage bot', scopes: ['read', 'propose'] });
    const { duplicates } = pairList.parse((await withKey(proposer.key, 'GET', '/issue-duplicates')).body);
    const [pair] = duplicates;
    if (!pair) throw new Error('The sample has no pair.');
    const payload = { issue1_id: pair.issue1.id, issue2_id: pair.issue2.id, resolution: 'unrelated' };

    const preview = await withKey(proposer.key, 'POST', '/changes/preview', { kind: 'resolution', payload });
    expect(changePreview.safeParse(preview.body).success).toBe(true);
    const writing = await withKey(proposer.key, 'PATCH', '/issue-duplicates/execute-resolution', payload);
    expect(failureOf(writing, 403)).toEqual({
      code: 'scope_required',
      detail: 'This needs an API key with the scope "write".',
    });
    const proposed = change.parse(
      (await withKey(proposer.key, 'PATCH', '/issue-duplicates/propose-resolution', payload)).body,
    );
    expect(proposed).toMatchObject({
      status: 'proposed',
      actor: { type: 'api_key', id: proposer.id, name: 'Triage bot' },
    });
    failureOf(await withKey(proposer.key, 'POST', `/changes/${proposed.id}/apply`), 403);
    failureOf(await withKey(proposer.key, 'POST', `/changes/${proposed.id}/reject`), 403);

    const approved = await caller.send('POST', `/changes/${proposed.id}/apply`, undefined, change);
    expect(approved).toMatchObject({
      status: 'applied',
      actor: { name: 'Triage bot' },
      decided_by: caller.name,
    });
    await revoke(proposer);
    const { actor } = await caller.get(`/changes/${proposed.id}`, change);
    expect(actor.name).toBe('Triage bot');
  });
});

/** Connects the sample backlog and waits for its first pairs. */
async function connectSample(owner: Caller): Promise<void> {
  await owner.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  await eventually(async () => (await owner.get('/issue-duplicates', pairList)).total > 0, {
    what: 'pairs of the sample',
  });
}

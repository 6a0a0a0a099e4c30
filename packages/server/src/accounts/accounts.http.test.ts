import { currentUser, registeredUser, tokenPair } from '@winnow/contract/account';
import { apiUsage } from '@winnow/contract/usage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Caller, call, failureOf, type Method, type Sent } from '../testing/caller.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const PASSWORD = 'correct horse battery';
let winnow: RunningWinnow;
let caller: Caller;

beforeAll(async () => {
  winnow = await startWinnow();
  caller = await winnow.newCaller();
});
afterAll(() => winnow.close());

function send(method: Method, path: string, sent?: Sent): Promise<Answer> {
  return call(winnow.origin, method, path, sent);
}

function register(body: unknown): Promise<Answer> {
  return send('POST', '/api/v1/auth/register', { body });
}

function signIn(username: string, password: string): Promise<Answer> {
  return send('POST', '/api/v1/auth/token/json', { body: { username, password } });
}

function me(token: string): Promise<Answer> {
  return send('GET', '/api/v1/auth/users/me', { token });
}

describe('registering', () => {
  test.each([
    ['a short username', { username: 'ab' }, 'username'],
    ['a username with a space', { username: 'a b c' }, 'username'],
    ['an overlong username', { username: 'a'.repeat(51) }, 'username'],
    ['no username', { username: undefined }, 'username'],
    ['no email address', { email: undefined }, 'email'],
    ['a wrong email address', { email: 'nobody' }, 'email'],
    ['a short password', { password: 'seven77' }, 'password'],
    ['an overlong password', { password: 'p'.repeat(201) }, 'password'],
    ['a password that is a number', { password: 12_345_678 }, 'password'],
  ])('refuses %s and names the field', async (_, change, field) => {
    const good = { username: 'fresh-name', email: 'fresh@example.com', password: PASSWORD };
    const failure = failureOf(await register({ ...good, ...change }), 422);
    expect([failure.code, failure.fields?.map(({ path }) => path)]).toEqual(['invalid_fields', [field]]);
    expect(failure.detail).toContain(failure.fields?.[0]?.message ?? '?');
  });

  test('names every field that is wrong', async () => {
    const failure = failureOf(await register({}), 422);
    expect(failure.fields?.map(({ path }) => path)).toEqual(['username', 'email', 'password']);
  });

  test('refuses the username of another user with 409 and the field', async () => {
    await register({ username: 'twice', email: 'twice@example.com', password: PASSWORD });
    const taken = { username: 'TWICE', email: 'another@example.com', password: PASSWORD };
    const failure = failureOf(await register(taken), 409);
    expect([failure.code, failure.fields?.[0]?.path]).toEqual(['username_taken', 'username']);
  });

  test('responds to a taken email address as to a new one', async () => {
    await register({ username: 'holder', email: 'holder@example.com', password: PASSWORD });
    const taken = await register({ username: 'stranger', email: 'Holder@Example.com', password: PASSWORD });
    const free = await register({ username: 'newcomer', email: 'newcomer@example.com', password: PASSWORD });
    const shapeOf = ({ status, body }: Answer) => {
      const { id: _, username: __, email: ___, ...rest } = registeredUser.strict().parse(body);
      return { status, ...rest };
    };
    expect(shapeOf(taken)).toEqual(shapeOf(free));
  });

  test('creates one user for concurrent requests with one name', async () => {
    const attempts = await Promise.all(
      [1, 2, 3].map((n) => register({ username: 'race', email: `race${n}@example.com`, password: PASSWORD })),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('returns the user without secrets', async () => {
    const answer = await register({ username: 'new.user', email: 'new@example.com', password: PASSWORD });
    expect(answer.status).toBe(201);
    const user = registeredUser.strict().parse(answer.body);
    expect(user).toMatchObject({
      username: 'new.user',
      email: 'new@example.com',
      full_name: null,
      email_verified: false,
    });
  });
});

describe('signing in', () => {
  test('returns the same 401 for a wrong password and an unknown name', async () => {
    const wrong = failureOf(await signIn(caller.name, 'not the password'), 401);
    expect(wrong).toEqual(failureOf(await signIn('nobody-at-all', 'not the password'), 401));
    expect(wrong.detail).toBe('Invalid username or password');
  });

  test('responds 429 with Retry-After after too many wrong passwords, and other names still work', async () => {
    const { name, password } = await winnow.newCaller();
    const attempts = await Promise.all(Array.from({ length: 10 }, () => signIn(name, 'wrong password')));
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 401));
    const limited = await signIn(name, password);
    const failure = failureOf(limited, 429);
    expect(failure.code).toBe('rate_limited');
    const seconds = Number(limited.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(14 * 60);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    expect((await signIn(caller.name, caller.password)).status).toBe(200);
  });

  test('accepts the username or email address in any case and returns a token pair', async () => {
    for (const name of [caller.name, caller.name.toUpperCase(), `${caller.name}@example.com`]) {
      const answer = await signIn(name, caller.password);
      const pair = tokenPair.strict().parse(answer.body);
      expect([pair.token_type, pair.expires_in]).toEqual(['bearer', 900]);
      expect((await me(pair.access_token)).status).toBe(200);
    }
  });
});

describe('refreshing', () => {
  const refresh = (refresh_token: unknown) =>
    send('POST', '/api/v1/auth/refresh', { body: { refresh_token } });

  test.each([
    ['text', 'unknown token'],
    ['a quote', '"'],
    ['letters that are no ASCII', 'é'.repeat(250)],
  ])('with %s is a 401', async (_, token) => {
    expect(failureOf(await refresh(token), 401).code).toBe('unauthorized');
  });

  test('rotates; a repeated call gets the same successor; an access token is not a refresh token', async () => {
    const first = tokenPair.parse((await signIn(caller.name, caller.password)).body);
    failureOf(await refresh(first.access_token), 401);
    const answers = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);
    const [one, two] = answers.map(({ body }) => tokenPair.parse(body));
    expect(one?.refresh_token).toBe(two?.refresh_token);
    expect(one?.refresh_token).not.toBe(first.refresh_token);
    expect((await me(one?.access_token ?? '')).status).toBe(200);
    failureOf(await me(one?.refresh_token ?? ''), 401);
  });
});

describe('signing out', () => {
  const logout = (headers: Record<string, string> = {}) => send('GET', '/logout', { headers });

  test.each([
    ['without the header', {}],
    ['with an empty one', { 'x-refresh-token': '' }],
    ['with an unknown one', { 'x-refresh-token': 'unknown token' }],
    ['with an overlong one', { 'x-refresh-token': 'x'.repeat(4_000) }],
    ['with an access token beside it', { authorization: 'Bearer garbage' }],
  ])('%s is a 204', async (_, headers) => {
    const answer = await logout(headers);
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  test('ends that session immediately, for both its tokens, and no other', async () => {
    const here = tokenPair.parse((await signIn(caller.name, caller.password)).body);
    for (const times of [1, 2]) {
      const answer = await logout({ 'x-refresh-token': here.refresh_token });
      expect([times, answer.status]).toEqual([times, 204]);
    }
    failureOf(await me(here.access_token), 401);
    const body = { refresh_token: here.refresh_token };
    failureOf(await send('POST', '/api/v1/auth/refresh', { body }), 401);
    expect((await me(caller.tokens.access_token)).status).toBe(200);
  });
});

describe('the current user', () => {
  test.each([
    ['an overlong name', { full_name: 'x'.repeat(201) }],
    ['a number', { full_name: 5 }],
    ['nothing', {}],
  ])('cannot be renamed to %s', async (_, body) => {
    const failure = await caller.fail('PUT', '/auth/users/me', 422, body);
    expect(failure.fields?.map(({ path }) => path)).toEqual(['full_name']);
  });

  test('reads and changes their name, and only the name', async () => {
    const before = await caller.get('/auth/users/me', currentUser.strict());
    expect(before).toMatchObject({ username: caller.name, full_name: null });
    const body = {
      full_name: '  Zoë 👩🏽‍🚀  ',
      username: 'root',
      account_id: before.id,
      email: 'x@example.com',
    };
    const after = await caller.send('PUT', '/auth/users/me', body, currentUser.strict());
    expect(after).toEqual({ ...before, full_name: 'Zoë 👩🏽‍🚀' });
    expect(await caller.get('/auth/users/me', currentUser)).toEqual(after);
    const cleared = await caller.send('PUT', '/auth/users/me', { full_name: '  ' }, currentUser);
    expect(cleared.full_name).toBeNull();
  });

  test('has made no requests with an API key', async () => {
    expect(await caller.get('/auth/api-usage', apiUsage.strict())).toMatchObject({ total_requests: 0 });
  });
});

describe('an invalid request body', () => {
  const POSTS: [Method, string][] = [
    ['POST', '/api/v1/auth/register'],
    ['POST', '/api/v1/auth/token/json'],
    ['POST', '/api/v1/auth/refresh'],
    ['POST', '/api/v1/auth/complete-onboarding'],
    ['POST', '/api/v1/auth/forgot-password'],
    ['POST', '/api/v1/auth/reset-password'],
    ['POST', '/api/v1/auth/verify-email'],
    ['PUT', '/api/v1/auth/users/me'],
    ['PUT', '/api/v1/auth/users/me/password'],
    ['POST', '/api/v1/billing/create-checkout-session'],
    ['POST', '/api/v1/trackers'],
    ['POST', '/api/v1/trackers/test-and-list-orgs'],
    ['POST', '/api/v1/trackers/list-projects-for-org'],
    ['PATCH', '/api/v1/issue-duplicates/execute-resolution'],
    ['POST', '/api/v1/issue-duplicates/dismiss'],
    ['POST', '/api/v1/changes/preview'],
  ];

  test.each(POSTS)('%s %s is a 4xx in the contract shape, never 500', async (method, path) => {
    const token = caller.tokens.access_token;
    for (const [raw, status] of [
      ['{"username":', 400],
      ['\u0000', 400],
      ['{"username":"a\\u0000b","full_name":"a\\u0000b"}', 400],
      ['{"username":"a\\ud800b","full_name":"a\\ud800b"}', 400],
      ['', 422],
      ['null', 422],
      ['[]', 422],
      ['"text"', 422],
      ['{"__proto__":{"username":"x"}}', 422],
      [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, 422],
      [`{"username":"${'x'.repeat(2_000_000)}"}`, 413],
    ] as const) {
      const answer = await send(method, path, { token, raw });
      // The JSON parser may refuse some of these with 400 instead. Only the form of the error
      // matters here.
      const allowed = status === 422 ? [400, 422] : [status];
      expect([raw.slice(0, 20), allowed.includes(answer.status)]).toEqual([raw.slice(0, 20), true]);
      failureOf(answer, answer.status);
    }
    const form = {
      token,
      raw: 'username=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    failureOf(await send(method, path, form), 415);
  });

  test.each([
    ['a null character', '\\u0000', '%00'],
    ['half a surrogate pair', '\\ud83d', '%ed%a0%bd'],
  ])('%s in a name or a query, which cannot be stored, is a 400', async (_, written, encoded) => {
    const name = `a${written}b`;
    const rule = `{"rule_type":"INCLUDE","scope_type":"ORGANIZATION","identifier":"${name}"}`;
    const key = '"type":"github","tracker_type":"github","url":"https://github.com","api_key":"x"';
    const bodies: [Method, string, string][] = [
      ['POST', '/auth/register', `{"username":"${name}","email":"a@example.com","password":"${PASSWORD}"}`],
      ['POST', '/auth/token/json', `{"username":"${name}","password":"${PASSWORD}"}`],
      ['PUT', '/auth/users/me', `{"full_name":"${name}"}`],
      ['POST', '/trackers', `{"name":"${name}",${key}}`],
      ['POST', '/trackers', `{"name":"Tracker",${key},"scope_rules":[${rule}]}`],
      ['POST', '/trackers/list-projects-for-org', `{${key},"organization_identifier":"${name}"}`],
    ];
    const token = caller.tokens.access_token;
    for (const [method, path, raw] of bodies) {
      const { code, detail } = failureOf(await send(method, `/api/v1${path}`, { token, raw }), 400);
      expect([path, code, detail]).toEqual([
        path,
        'malformed',
        expect.stringMatching(/^The body contains .*stored/),
      ]);
    }
    for (const path of ['/issues/a', '/issue-duplicates?query=', '/organizations?limit=5&tracker_id=']) {
      const failure = failureOf(await caller.call('GET', `${path}${encoded}`), 400);
      expect([path, failure.code]).toEqual([path, 'malformed']);
    }
  });

  test('no error of ours and no password was logged', () => {
    expect(winnow.logLines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    const log = JSON.stringify(winnow.logLines);
    for (const secret of [
      PASSWORD,
      caller.password,
      caller.tokens.refresh_token,
      caller.tokens.access_token,
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});

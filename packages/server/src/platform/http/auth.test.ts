import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Scope } from '@winnow/contract/api-key';
import { mayAs, permissionsOfScopes, ROLES, type Role } from '@winnow/contract/role';
import type { Access } from '@winnow/contract/route-access';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { unauthorized } from '../errors.ts';
import { startApp, startServer } from '../testing/http-app.ts';
import type { App } from './app.ts';
import {
  type Authenticate,
  createAuthentication,
  type Principal,
  principalOf,
  type UserPrincipal,
  userOf,
} from './auth.ts';

const PRINCIPALS: Record<string, Principal> = {
  ada: userIn('maintainer'),
  vera: userIn('viewer'),
  locked: { ...userIn('owner'), lacksFactor: true },
  wnw_reader: keyWith(['read'], 'owner'),
  wnw_demoted: keyWith(['write'], 'viewer'),
};

function userIn(role: Role): UserPrincipal {
  const ids = { accountId: 'a1', homeId: 'a1', userId: 'u1', sessionId: 's1' };
  return { kind: 'user', ...ids, role, permissions: new Set(ROLES[role].permissions), lacksFactor: false };
}

function keyWith(scopes: Scope[], role: Role): Principal {
  const permissions = permissionsOfScopes(scopes).filter((permission) => mayAs(role, permission));
  const ids = { accountId: 'a1', userId: 'u1', keyId: 'k1' };
  return { kind: 'api_key', ...ids, scopes, role, permissions: new Set(permissions) };
}

const POLICY: Record<string, Access> = {
  'POST /api/v1/account': 'self',
  'GET /api/v1/issues': 'read',
  'GET /api/v1/keys-only': 'key',
  'GET /api/v1/write': 'write',
  'GET /api/v1/settings': 'manage',
  'POST /api/v1/notes': 'read',
};

function routes(app: App) {
  const authenticate: Authenticate = async (token, workspaceId) => {
    const principal = PRINCIPALS[token];
    if (principal === undefined) throw unauthorized('Your session has ended. Sign in again.');
    return workspaceId === null ? principal : { ...principal, accountId: workspaceId };
  };
  const { authorize: onRequest } = createAuthentication(app, authenticate, { policy: POLICY });
  const body = z.object({ name: z.string() });
  app.post('/api/v1/account', { onRequest, schema: { body } }, async (request) => ({
    user: userOf(request).userId,
    session: userOf(request).sessionId,
  }));
  app.get('/api/v1/issues', { onRequest }, async (request) => ({
    account: principalOf(request).accountId,
  }));
  app.get('/api/v1/keys-only', { onRequest }, async (request) => ({
    account: principalOf(request).accountId,
  }));
  app.get('/api/v1/write', { onRequest }, async () => ({}));
  app.get('/api/v1/settings', { onRequest }, async () => ({}));
  app.get('/api/v1/forgotten', async (request) => principalOf(request));
}

describe('refuses access', () => {
  test.each([
    undefined,
    '',
    'ada',
    'Basic YWRhOnB3',
    'Bearer',
    'Bearer ',
    'Bearer ada extra',
    'Bearer ada, Bearer ada',
    'Bearer wrong',
    `Bearer ${'a'.repeat(4_001)}`,
  ])('with the header %j', async (authorization) => {
    const { app } = await startApp(routes);
    const headers = authorization === undefined ? {} : { authorization };
    for (const request of [
      { method: 'POST' as const, url: '/api/v1/account', payload: {}, headers },
      { method: 'GET' as const, url: '/api/v1/issues', headers },
    ]) {
      const answer = await app.inject(request);
      expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  test('on a route without an authentication hook', async () => {
    const { app } = await startApp(routes);
    const answer = await app.inject({ url: '/api/v1/forgotten', headers: { authorization: 'Bearer ada' } });
    expect(answer.statusCode).toBe(401);
  });

  test('before an unauthenticated caller learns about the body', async () => {
    const { app } = await startApp(routes);
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/account',
      headers: { 'content-type': 'application/json' },
      payload: '{broken',
    });
    expect(answer.statusCode).toBe(401);
  });
});

test('refuses an API key on routes for users and beyond its scopes', async () => {
  const { app } = await startApp(routes);
  const headers = { authorization: 'Bearer wnw_reader' };
  const asUser = await app.inject({
    method: 'POST',
    url: '/api/v1/account',
    headers,
    payload: { name: 'x' },
  });
  expect([asUser.statusCode, asUser.json().code]).toEqual([403, 'user_required']);
  const writing = await app.inject({ url: '/api/v1/write', headers });
  expect([writing.statusCode, writing.json().code]).toEqual([403, 'scope_required']);
  expect((await app.inject({ url: '/api/v1/issues', headers })).json()).toEqual({ account: 'a1' });
});

test('admits a signed-in user everywhere, and keeps the identities of concurrent requests apart', async () => {
  const { app } = await startApp(routes);
  const headers = { authorization: 'bearer ada' };
  const payload = { name: 'x' };
  const mine = await app.inject({ method: 'POST', url: '/api/v1/account', headers, payload });
  expect(mine.json()).toEqual({ user: 'u1', session: 's1' });
  expect((await app.inject({ url: '/api/v1/write', headers })).statusCode).toBe(200);
  expect((await app.inject('/api/v1/forgotten')).statusCode).toBe(401);
});

test('explains on API key routes how to send a key, and detects an empty one', async () => {
  const { app } = await startApp(routes);
  const said = async (authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await app.inject({ url: '/api/v1/keys-only', headers });
    return answer.statusCode === 401 ? answer.json().detail : answer.json();
  };
  const wanted = 'Send an API key: Authorization: Bearer wnw_….';
  for (const none of [undefined, 'Bearer ada']) expect(await said(none)).toBe(wanted);
  for (const unfilled of ['', 'Bearer ', 'Bearer $WINNOW_API_KEY', 'Bearer <your key>']) {
    expect(await said(unfilled)).toBe(
      `${wanted} The header was empty or has no value (is WINNOW_API_KEY set?).`,
    );
  }
  expect(await said('Bearer wnw_reader')).toEqual({ account: 'a1' });
});

test('refuses a token that expires while the body arrives, and ignores the body', async () => {
  let looked = 0;
  let done = 0;
  const seen = Promise.withResolvers<void>();
  const { origin } = await startServer((app: App) => {
    const authenticate = async () => {
      looked += 1;
      if (looked > 1) throw unauthorized('Ended.');
      seen.resolve();
      return PRINCIPALS.wnw_reader as Principal;
    };
    const { authorize: onRequest } = createAuthentication(app, authenticate, { policy: POLICY });
    app.post('/api/v1/notes', { onRequest }, async () => {
      done += 1;
      return {};
    });
  });
  const headers = {
    authorization: 'Bearer wnw_reader',
    'content-type': 'application/json',
    'content-length': 2,
  };
  const request = httpRequest(`${origin}/api/v1/notes`, { method: 'POST', headers });
  request.write('{');
  await seen.promise;
  request.end('}');
  const [answer] = await once(request, 'response');
  answer.resume();
  expect([answer.statusCode, looked, done]).toEqual([401, 2, 0]);
});

test('refuses a member whose role lacks the permission, and says which role has it', async () => {
  const { app } = await startApp(routes);
  const ask = async (token: string, path: string) => {
    const answer = await app.inject({
      method: 'GET',
      url: `/api/v1/${path}`,
      headers: { authorization: `Bearer ${token}` },
    });
    return [answer.statusCode, answer.json().detail ?? null];
  };
  expect(await ask('ada', 'write')).toEqual([200, null]);
  expect(await ask('ada', 'settings')).toEqual([
    403,
    'This needs the role Admin or higher. Your role in this workspace is Maintainer.',
  ]);
  expect(await ask('vera', 'write')).toEqual([
    403,
    'This needs the role Maintainer or higher. Your role in this workspace is Viewer.',
  ]);
  expect(await ask('wnw_demoted', 'write')).toEqual([
    403,
    'This needs the role Maintainer or higher. The role of the owner of this API key in this workspace is Viewer.',
  ]);
  expect((await ask('locked', 'issues'))[0]).toBe(403);
});

test('reads the workspace from its header, except on routes about the user', async () => {
  const { app } = await startApp(routes);
  const workspace = randomUUID();
  const accountFor = async (method: 'GET' | 'POST', url: string, header: string) => {
    const headers = { authorization: 'Bearer ada', 'winnow-workspace': header };
    const payload = method === 'GET' ? {} : { payload: { name: 'Ada' } };
    return app.inject({ method, url: `/api/v1/${url}`, headers, ...payload });
  };
  expect((await accountFor('GET', 'issues', workspace)).json()).toEqual({ account: workspace });
  expect((await accountFor('GET', 'issues', 'none')).json()).toMatchObject({ code: 'not_a_member' });
  expect((await accountFor('POST', 'account', 'none')).statusCode).toBe(200);
});

test('a route that the policy does not list cannot be registered', async () => {
  const app = startApp((it) => {
    const { authorize: onRequest } = createAuthentication(it, async () => userIn('owner'), {
      policy: POLICY,
    });
    it.get('/api/v1/unlisted', { onRequest }, async () => ({}));
  });
  await expect(app).rejects.toThrow('The policy of access does not list GET /api/v1/unlisted.');
});

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { unauthorized } from '../errors.ts';
import { startApp, startServer } from '../testing/http-app.ts';
import type { App } from './app.ts';
import { createAuthentication, type Principal, principalOf, userOf } from './auth.ts';

const PRINCIPALS: Record<string, Principal> = {
  ada: { kind: 'user', accountId: 'a1', userId: 'u1', sessionId: 's1', scopes: ['read', 'propose', 'write'] },
  wnw_reader: { kind: 'api_key', accountId: 'a1', userId: 'u1', keyId: 'k1', scopes: ['read'] },
};

function routes(app: App) {
  const { requireUser, requireKey, requireScope } = createAuthentication(app, async (token) => {
    const principal = PRINCIPALS[token];
    if (principal === undefined) throw unauthorized('Your session has ended. Sign in again.');
    return principal;
  });
  const body = z.object({ name: z.string() });
  app.post('/api/v1/account', { onRequest: requireUser, schema: { body } }, async (request) => ({
    user: userOf(request).userId,
    session: userOf(request).sessionId,
  }));
  app.get('/api/v1/issues', { onRequest: requireScope('read') }, async (request) => ({
    account: principalOf(request).accountId,
  }));
  app.get('/api/v1/keys-only', { onRequest: requireKey }, async (request) => ({
    account: principalOf(request).accountId,
  }));
  app.get('/api/v1/write', { onRequest: requireScope('write') }, async () => ({}));
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
    const { requireScope } = createAuthentication(app, async () => {
      looked += 1;
      if (looked > 1) throw unauthorized('Ended.');
      seen.resolve();
      return PRINCIPALS.wnw_reader as Principal;
    });
    app.post('/api/v1/notes', { onRequest: requireScope('read') }, async () => {
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

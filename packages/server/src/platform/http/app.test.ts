import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { errorBody } from '@winnow/contract/error';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { conflict, upstreamFailed } from '../errors.ts';
import { ConnectionLost, startApp, startServer } from '../testing/http-app.ts';
import type { App } from './app.ts';
import { createAuthentication, type Principal } from './auth.ts';

const PRINCIPAL: Principal = {
  kind: 'user',
  accountId: 'account',
  homeId: 'account',
  userId: 'user',
  sessionId: 'session',
  role: 'viewer',
  permissions: new Set(['read']),
  lacksFactor: false,
};
const JSON_TYPE = { 'content-type': 'application/json' };

function routes(app: App) {
  app.post(
    '/api/v1/things',
    {
      bodyLimit: 1 << 20,
      schema: {
        body: z.object({ name: z.string().min(2), tags: z.array(z.object({ id: z.int() })).default([]) }),
        response: { 201: z.object({ name: z.string() }) },
      },
    },
    async (request, reply) => reply.code(201).send({ name: request.body.name }),
  );
  app.get(
    '/api/v1/things',
    { schema: { querystring: z.object({ project_ids: z.union([z.string(), z.array(z.string())]) }) } },
    async (request) => ({ given: request.query.project_ids }),
  );
  app.get('/api/v1/things/:id', { schema: { params: z.object({ id: z.uuid() }) } }, async () => ({}));
  app.get('/api/v1/throws/:what', async (request) => {
    const { what } = request.params as { what: string };
    if (what === 'unknown') throw new Error('password=hunter2 at db.internal');
    if (what === 'lost') throw new ConnectionLost('connect ECONNREFUSED 10.0.0.5:5432');
    if (what === 'foreign') throw Object.assign(new Error('sdk said no'), { statusCode: 404, code: 'E_SDK' });
    if (what === 'upstream') throw upstreamFailed('Bad credentials\nstack', new Error('tracker 401'));
    if (what === 'nothing') throw undefined;
    throw conflict('name_taken', 'That name is taken.', [{ path: 'name', message: 'Taken.' }]);
  });
  app.get('/api/v1/unfit', { schema: { response: { 200: z.object({ count: z.int() }) } } }, async () => ({
    count: Number('1.5'),
    secret: 'hunter2',
  }));
  app.get('/api/v1/trimmed', { schema: { response: { 200: z.object({ count: z.int() }) } } }, async () => {
    const row = { count: 1, token_sealed: 'hunter2' };
    return row;
  });
  app.get('/api/v1/long', async () => ({ text: 'winnow '.repeat(3_000) }));
  app.get('/api/v1/short', async () => ({ text: 'winnow '.repeat(1_000) }));
}

describe('returns the common error body for an invalid request', () => {
  test.each([
    [
      'broken JSON',
      { method: 'POST', url: '/api/v1/things', headers: JSON_TYPE, payload: '{' },
      400,
      'malformed',
    ],
    [
      'a poisoned prototype',
      { method: 'POST', url: '/api/v1/things', headers: JSON_TYPE, payload: '{"__proto__":{"admin":true}}' },
      400,
      'malformed',
    ],
    [
      'a poisoned constructor',
      {
        method: 'POST',
        url: '/api/v1/things',
        headers: JSON_TYPE,
        payload: '{"constructor":{"prototype":{"admin":true}}}',
      },
      400,
      'malformed',
    ],
    [
      'a null character deep in the body',
      {
        method: 'POST',
        url: '/api/v1/things',
        headers: JSON_TYPE,
        payload: '{"name":"ok","x":[{"y":"a\\u0000"}]}',
      },
      400,
      'malformed',
    ],
    ...(
      [
        ['half a surrogate pair', '{"name":"a\\ud800"}'],
        ['the other half', '{"name":"\\udc00b"}'],
        ['halves in the wrong order', '{"name":"\\udc00\\ud800"}'],
        ['half a pair as a key', '{"name":"ok","x":{"\\udfff":1}}'],
      ] as const
    ).map(
      ([name, payload]) =>
        [
          name,
          { method: 'POST', url: '/api/v1/things', headers: JSON_TYPE, payload },
          400,
          'malformed',
        ] as const,
    ),
    [
      'bytes that are not UTF-8',
      {
        method: 'POST',
        url: '/api/v1/things',
        headers: JSON_TYPE,
        payload: Buffer.from('{"name":"caf\xe9"}', 'latin1'),
      },
      400,
      'malformed',
    ],
    [
      'a null character nested deeper than the call stack',
      {
        method: 'POST',
        url: '/api/v1/things',
        headers: JSON_TYPE,
        payload: `{"name":"ok","x":${'['.repeat(11_900)}"\\u0000"${']'.repeat(11_900)}}`,
      },
      400,
      'malformed',
    ],
    ...(
      [
        ['beside each other', `{"name":"ok","tags":[${'1,'.repeat(12_000)}1]}`],
        ['within each other', `{"name":"ok","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
      ] as const
    ).map(
      ([name, payload]) =>
        [
          `too many values ${name}`,
          { method: 'POST', url: '/api/v1/things', headers: JSON_TYPE, payload },
          413,
          'too_large',
        ] as const,
    ),
    ['an unpaired surrogate in the query', { url: '/api/v1/things?project_ids=%ed%a0%80' }, 400, 'malformed'],
    ['a query that is not UTF-8', { url: '/api/v1/things?project_ids=%ff' }, 400, 'malformed'],
    ['a lone percent sign in the query', { url: '/api/v1/things?project_ids=100%' }, 400, 'malformed'],
    ['a null character in the query', { url: '/api/v1/things?project_ids=a%00' }, 400, 'malformed'],
    ['a null character in the path', { url: '/api/v1/things/a%00b' }, 400, 'malformed'],
    ['a path that is not UTF-8', { url: '/api/v1/things/%ff' }, 400, 'malformed'],
    [
      'a body that is too large',
      {
        method: 'POST',
        url: '/api/v1/things',
        headers: JSON_TYPE,
        payload: JSON.stringify({ name: 'x'.repeat(1 << 20) }),
      },
      413,
      'too_large',
    ],
    [
      'plain text',
      { method: 'POST', url: '/api/v1/things', headers: { 'content-type': 'text/plain' }, payload: '{}' },
      415,
      'unsupported_media_type',
    ],
    [
      'a form',
      {
        method: 'POST',
        url: '/api/v1/things',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'name=ok',
      },
      415,
      'unsupported_media_type',
    ],
    [
      'a compressed body',
      {
        method: 'POST',
        url: '/api/v1/things',
        headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
        payload: gzipSync('{"name":"ok"}'),
      },
      415,
      'unsupported_media_type',
    ],
    ['no body', { method: 'POST', url: '/api/v1/things' }, 422, 'invalid_fields'],
    [
      'an empty body',
      { method: 'POST', url: '/api/v1/things', headers: JSON_TYPE, payload: '' },
      422,
      'invalid_fields',
    ],
    ['an unknown route', { url: '/api/v1/nothing' }, 404, 'not_found'],
    ['an unknown method', { method: 'DELETE', url: '/api/v1/things' }, 405, 'method_not_allowed'],
    ['an unknown page', { url: '/nothing', headers: { accept: 'text/html' } }, 404, 'not_found'],
    ['a parameter that is too long', { url: `/api/v1/things/${'a'.repeat(501)}` }, 404, 'not_found'],
  ] as const)('%s', async (_name, request, status, code) => {
    const { app, lines } = await startApp(routes);
    const answer = await app.inject(request);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const body = errorBody.strict().parse(answer.json());
    expect(body.code).toBe(code);
    expect(body.request_id).toBe(answer.headers['x-request-id']);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(lines.filter((line) => line.level > 30)).toEqual([]);
  });

  test('names invalid fields by their paths, and missing ones as required', async () => {
    const { app } = await startApp(routes);
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/things',
      payload: { tags: [{ id: 1 }, { id: 'x' }] },
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      detail: 'These fields are not valid: name, tags.1.id.',
      fields: [
        { path: 'name', message: 'This field is required.' },
        { path: 'tags.1.id', message: expect.stringContaining('number') },
      ],
    });
    const bad = await app.inject('/api/v1/things/not-an-id');
    expect([bad.statusCode, bad.json().fields[0].path]).toEqual([422, 'id']);
  });

  test('reports at most twenty invalid fields', async () => {
    const { app } = await startApp(routes);
    const tags = Array.from({ length: 5_000 }, () => ({ id: 'x' }));
    const answer = await app.inject({ method: 'POST', url: '/api/v1/things', payload: { name: 'ok', tags } });
    expect(answer.statusCode).toBe(422);
    const { detail, fields } = answer.json();
    expect(detail).toMatch(/^These fields are not valid: tags\.0\.id, .* and more\.$/);
    expect(fields).toHaveLength(20);
  });

  test('returns the common error body for bytes that are not HTTP', async () => {
    const { port } = await startServer(routes);
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8');
    let said = '';
    socket.on('data', (piece: string) => {
      said += piece;
    });
    socket.end('HELO mail.example\r\n\r\n');
    await once(socket, 'close');
    expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(errorBody.parse(JSON.parse(said.split('\r\n\r\n')[1] ?? '')).code).toBe('malformed');
  });
});

describe('an internal error', () => {
  test.each(['unknown', 'foreign', 'nothing'])('does not reveal its cause: %s', async (what) => {
    const { app, lines } = await startApp(routes);
    const answer = await app.inject(`/api/v1/throws/${what}`);
    expect(answer.statusCode).toBe(500);
    expect(errorBody.parse(answer.json()).code).toBe('internal');
    expect(answer.body).not.toMatch(/hunter2|sdk|db\.internal/);
    const logged = lines.find((line) => line.level === 50);
    expect(logged).toMatchObject({ code: 'internal', request_id: answer.headers['x-request-id'] });
  });

  test('is logged with its cause', async () => {
    const { app, lines } = await startApp(routes);
    await app.inject('/api/v1/throws/unknown');
    expect(lines.find((line) => line.level === 50)).toMatchObject({
      err: { message: 'password=hunter2 at db.internal' },
    });
  });

  test('does not send a response that violates its schema, and logs where it does', async () => {
    const { app, lines } = await startApp(routes);
    const answer = await app.inject('/api/v1/unfit');
    expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal']);
    expect(lines.find((line) => line.level === 50)).toMatchObject({ issues: [{ path: ['count'] }] });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  test('returns 503 with Retry-After if the database cannot be reached', async () => {
    const { app } = await startApp(routes);
    const answer = await app.inject('/api/v1/throws/lost');
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
    expect(answer.body).not.toContain('10.0.0.5');
  });
});

test('does not send fields missing in the schema', async () => {
  const { app } = await startApp(routes);
  expect((await app.inject('/api/v1/trimmed')).json()).toEqual({ count: 1 });
});

test("logs a caller's error at info level without a stack", async () => {
  const { app, lines } = await startApp(routes);
  const answer = await app.inject('/api/v1/throws/conflict');
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({ code: 'name_taken', fields: [{ path: 'name', message: 'Taken.' }] });
  expect(lines.map((line) => line.level)).toEqual([30, 30]);
  expect(lines[0]).not.toHaveProperty('err');
  expect((await app.inject('/api/v1/throws/upstream')).json()).toMatchObject({ detail: 'Bad credentials' });
});

test('logs one line per request with the route template and without the query', async () => {
  const { app, lines } = await startApp(routes);
  await app.inject('/api/v1/things?project_ids=hunter2');
  await app.inject('/reset-password?token=hunter2');
  expect(lines).toMatchObject([
    { method: 'GET', route: '/api/v1/things', status: 200, msg: 'request completed' },
    { code: 'not_found' },
    { method: 'GET', path: '/reset-password', status: 404, msg: 'request completed' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('accepts a request id only if it is a short plain word', async () => {
  const { app } = await startApp(routes);
  const idFor = async (given: string) =>
    (await app.inject({ url: '/api/v1/long', headers: { 'x-request-id': given } })).headers['x-request-id'];
  expect(await idFor('proxy-7f3a.1')).toBe('proxy-7f3a.1');
  for (const given of ['short', 'a'.repeat(65), 'has space in it', '"><script>', 'ünïcode-id']) {
    expect(await idFor(given)).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test('reads a repeated parameter as an array, and ignores a trailing slash', async () => {
  const { app } = await startApp(routes);
  const given = async (url: string) => (await app.inject(url)).json().given;
  expect(await given('/api/v1/things?project_ids=a&project_ids=b')).toEqual(['a', 'b']);
  expect(await given('/api/v1/things/?project_ids=a%2Fb+c')).toBe('a/b c');
});

test('accepts any Unicode text, escaped or not, and an escaped backslash before an apparent escape', async () => {
  const { app } = await startApp(routes);
  for (const payload of ['{"name":"\\ud83d\\ude00 😀 é"}', '{"name":"\\\\u0000 \\\\ud800"}']) {
    const answer = await app.inject({ method: 'POST', url: '/api/v1/things', headers: JSON_TYPE, payload });
    expect([answer.statusCode, answer.json()]).toEqual([201, { name: JSON.parse(payload).name }]);
  }
  const { given } = (await app.inject('/api/v1/things?project_ids=%F0%9F%98%80+%C3%A9')).json();
  expect(given).toBe('😀 é');
});

test('refuses unstorable characters in API addresses, but not in page addresses', async () => {
  const root = await mkdtemp(join(tmpdir(), 'winnow-app-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const file of ['index.html', 'client.html']) {
    await writeFile(join(root, file), '<!doctype html><title>landing</title>');
  }
  await writeFile(join(root, '404.html'), '<!doctype html><title>own 404</title>');
  const { app, lines } = await startApp(routes, {
    site: { root, clientRoutes: ['/console/*'], clientPage: 'client.html' },
  });
  const get = (url: string) => app.inject({ url, headers: { accept: 'text/html' } });
  for (const url of ['/?utm=100%', '/console/issues?query=%ff%00']) {
    const page = await get(url);
    expect([url, page.statusCode, page.body]).toEqual([url, 200, expect.stringContaining('landing')]);
  }
  for (const url of ['/a%00b', '/%00', '/pricing/%zz?utm=100%']) {
    const page = await get(url);
    expect([url, page.statusCode, page.body]).toEqual([url, 404, expect.stringContaining('own 404')]);
    const ofApi = await get(`/api${url}`);
    expect([ofApi.statusCode, ofApi.json().code]).toEqual([400, 'malformed']);
  }
  expect(lines.filter((line) => line.level > 30)).toEqual([]);
});

test('limits bodies, except on routes that authenticate or allow more', async () => {
  const { app } = await startApp((it) => {
    const { authorize } = createAuthentication(it, async () => PRINCIPAL, {
      policy: { 'POST /api/v1/signed-in': 'self', 'POST /api/v1/scoped': 'read' },
    });
    it.post('/api/v1/open', { schema: { security: [] } }, async () => ({}));
    it.post('/register', { schema: { hide: true } }, async () => ({}));
    it.post('/api/v1/larger', { bodyLimit: 1 << 20 }, async () => ({}));
    it.post('/api/v1/signed-in', { onRequest: authorize }, async () => ({}));
    it.post('/api/v1/scoped', { onRequest: [authorize] }, async () => ({}));
  });
  const sizeOf = async (url: string, length: number) =>
    (
      await app.inject({
        method: 'POST',
        url,
        headers: { authorization: 'Bearer a.b.c' },
        payload: { text: 'x'.repeat(length) },
      })
    ).statusCode;
  for (const url of ['/api/v1/open', '/register']) {
    expect([url, await sizeOf(url, 60_000), await sizeOf(url, 70_000)]).toEqual([url, 200, 413]);
  }
  for (const url of ['/api/v1/larger', '/api/v1/signed-in', '/api/v1/scoped']) {
    expect([url, await sizeOf(url, 70_000), await sizeOf(url, 1 << 20)]).toEqual([url, 200, 413]);
  }
});

test.each(['/nothing', '/api/v1/nothing', '/mcp/nothing', '/api/v1/long', '/assets/app.js'])(
  'refuses POST %s before the body is read',
  async (path) => {
    const { port } = await startServer(routes);
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    // Sends only the headers. A server that waits for the body sends no response.
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 980000\r\n\r\n`,
    );
    const [said] = await once(socket, 'data');
    expect(said).toMatch(/^HTTP\/1\.1 40[45] /);
    expect(said).toMatch(/\r\nconnection: close\r\n/i);
  },
);

test('the body limit of a route overrides the default', async () => {
  const { app } = await startApp((it) =>
    it.post('/api/v1/big', { bodyLimit: 3 << 20 }, async () => ({ ok: true })),
  );
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/big',
    payload: { text: 'x'.repeat(2 << 20) },
  });
  expect(answer.statusCode).toBe(200);
});

test("compresses long responses by the client's preference, and never against it", async () => {
  const { app } = await startApp(routes);
  const get = (encoding: string) =>
    app.inject({ url: '/api/v1/long', headers: { 'accept-encoding': encoding } });
  const brotli = await get('gzip, br');
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString()).text).toHaveLength(21_000);
  expect(brotli.rawPayload.length).toBeLessThan(brotliCompressSync('winnow '.repeat(3_000)).length + 200);
  expect((await get('gzip')).headers['content-encoding']).toBe('gzip');
  expect((await get('identity')).headers).not.toHaveProperty('content-encoding');
});

test('does not compress a response that fits the first packets', async () => {
  const { app } = await startApp(routes);
  const answer = await app.inject({ url: '/api/v1/short', headers: { 'accept-encoding': 'gzip, br' } });
  expect(answer.headers).not.toHaveProperty('content-encoding');
});

test('prevents caching of API responses unless the route allows it', async () => {
  const { app } = await startApp((it) => {
    it.get('/api/v1/private', async () => ({}));
    it.get('/api/v1/public', async (_request, reply) => reply.header('cache-control', 'max-age=60').send({}));
  });
  expect((await app.inject('/api/v1/private')).headers['cache-control']).toBe('no-store');
  expect((await app.inject('/api/v1/nothing')).headers['cache-control']).toBe('no-store');
  expect((await app.inject('/api/v1/public')).headers['cache-control']).toBe('max-age=60');
});

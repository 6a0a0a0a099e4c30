import { errorBody } from '@winnow/contract/error';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '../testing/http-app.ts';
import type { App } from './app.ts';

function routes(app: App) {
  app.get('/api/v1/things/:id', { schema: { params: z.object({ id: z.string() }) } }, async () => ({}));
  app.put('/api/v1/things/:id', async () => ({}));
  app.post('/api/v1/things', async () => ({}));
  app.get('/logout', async (_request, reply) => reply.code(204).send());
  app.route({ method: ['GET', 'POST', 'DELETE'], url: '/mcp', handler: async () => ({}) });
}

test('returns 405 and the allowed methods for an unsupported method', async () => {
  const { app, lines } = await startApp(routes);
  for (const [method, url, allow] of [
    ['PATCH', '/api/v1/things/7?x=1', 'GET, HEAD, OPTIONS, PUT'],
    ['GET', '/api/v1/things', 'OPTIONS, POST'],
    ['HEAD', '/api/v1/things/', 'OPTIONS, POST'],
    ['PUT', '/mcp', 'DELETE, GET, HEAD, OPTIONS, POST'],
    ['POST', '/logout', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/openapi.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/docs', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const answer = await app.inject({ method, url });
    expect([method, url, answer.statusCode, answer.headers.allow]).toEqual([method, url, 405, allow]);
    if (method === 'HEAD') continue;
    const body = errorBody.strict().parse(answer.json());
    expect([body.code, body.detail.includes(` ${method} `)]).toEqual(['method_not_allowed', true]);
    expect(body.request_id).toBe(answer.headers['x-request-id']);
  }
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
});

test('returns the methods of a path for OPTIONS, and 404 for a path without any', async () => {
  const { app } = await startApp(routes);
  const asked = await app.inject({ method: 'OPTIONS', url: '/api/v1/things/7' });
  expect([asked.statusCode, asked.headers.allow, asked.body]).toEqual([204, 'GET, HEAD, OPTIONS, PUT', '']);
  expect(asked.headers).not.toHaveProperty('access-control-allow-origin');
  for (const method of ['OPTIONS', 'GET', 'POST', 'DELETE'] as const) {
    for (const url of ['/api/v1/nothing', '/api/v1/things/7/parts', '/api/v1', '/nothing']) {
      const answer = await app.inject({ method, url });
      expect([method, url, answer.statusCode]).toEqual([method, url, 404]);
      expect(answer.headers).not.toHaveProperty('allow');
    }
  }
  expect((await app.inject({ method: 'HEAD', url: '/api/v1/things/7' })).statusCode).toBe(200);
});

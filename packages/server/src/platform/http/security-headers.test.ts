import { expect, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '../testing/http-app.ts';
import type { App } from './app.ts';

function routes(app: App) {
  app.post(
    '/api/v1/things/:id',
    {
      schema: {
        tags: ['things'],
        params: z.object({ id: z.uuid() }),
        body: z.object({ name: z.string().min(2) }),
        response: { 201: z.object({ id: z.string() }) },
      },
    },
    async (request, reply) => reply.code(201).send({ id: request.params.id }),
  );
  app.post('/api/v1/login', { schema: { security: [] } }, async () => ({}));
}

function policyOf(headers: Record<string, unknown>): Map<string, string> {
  const directives = String(headers['content-security-policy']).split(';');
  return new Map(directives.map((text) => text.trim().split(/ (.*)/, 2) as [string, string]));
}

test('forbids inline scripts, framing, and connections to other servers', async () => {
  const { app } = await startApp(routes);
  const { headers } = await app.inject('/');
  const policy = policyOf(headers);
  expect(policy.get('script-src')).toBe("'self'");
  expect(policy.get('script-src-attr')).toBe("'none'");
  expect(policy.get('connect-src')).toBe("'self' ws://localhost:3000");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  expect(policy.get('object-src')).toBe("'none'");
  expect(policy.get('default-src')).toBe("'self'");
  expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  expect(headers).not.toHaveProperty('x-powered-by');
});

test('also allows connections to the error reporting server, and no other', async () => {
  const dsn = 'https://key@errors.example.com/42';
  const { app } = await startApp(routes, { errorReporting: { dsn, environment: 'staging' } });
  const policy = policyOf((await app.inject('/')).headers);
  expect(policy.get('connect-src')).toBe("'self' ws://localhost:3000 https://errors.example.com");
});

test('requires HTTPS if and only if the public address uses it', async () => {
  const plain = (await (await startApp(routes)).app.inject('/')).headers;
  expect(plain).not.toHaveProperty('strict-transport-security');
  expect(policyOf(plain).has('upgrade-insecure-requests')).toBe(false);
  const { app } = await startApp(routes, { publicUrl: 'https://winnow.example.com' });
  const secure = (await app.inject('/')).headers;
  expect(secure['strict-transport-security']).toBe('max-age=31536000');
  expect(policyOf(secure).has('upgrade-insecure-requests')).toBe(true);
  expect(policyOf(secure).get('connect-src')).toBe("'self' wss://winnow.example.com");
});

test('gives the API reference its own policy, with every script in a file', async () => {
  const { app } = await startApp(routes);
  for (const url of ['/api/docs', '/api/docs/']) {
    const page = await app.inject(url);
    expect(page.statusCode).toBe(200);
    expect(policyOf(page.headers).get('script-src')).toBe("'self'");
    expect(policyOf(page.headers).get('default-src')).toBe("'none'");
    expect(page.body).toContain('<title>Winnow API</title>');
    expect(page.body).toMatch(/<link rel="icon" type="image\/svg\+xml" href="[^"]+\/favicon\.svg"/);
    const scripts = [...page.body.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, inline] of scripts) {
      expect(inline?.trim()).toBe('');
      const source = /src="([^"]+)"/.exec(attributes ?? '')?.[1] ?? '';
      const path = new URL(source, `http://localhost${url}`).pathname;
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 200]);
    }
  }
});

test('describes routes, schemas and the token in the API description, and hides everything outside the API', async () => {
  const { app } = await startApp(routes);
  const description = (await app.inject('/api/openapi.json')).json();
  expect(description.openapi).toBe('3.1.0');
  expect(description.info).toMatchObject({ title: 'Winnow', version: '1.2.3' });
  expect(Object.keys(description.paths).sort()).toEqual(['/api/v1/login', '/api/v1/things/{id}']);
  const operation = description.paths['/api/v1/things/{id}'].post;
  expect(operation.requestBody.content['application/json'].schema).toMatchObject({
    properties: { name: { type: 'string', minLength: 2 } },
    required: ['name'],
  });
  expect(operation.responses['201'].content['application/json'].schema.properties.id.type).toBe('string');
  expect(description.components.schemas.ErrorBody.required).toEqual(['detail', 'code', 'request_id']);
  expect(Object.keys(operation.responses)).toEqual(
    expect.arrayContaining(['201', '400', '401', '404', '413', '415', '422', '429', '500', '503']),
  );
  const bearer = expect.objectContaining({ type: 'http', scheme: 'bearer' });
  expect(description.components.securitySchemes).toEqual({ session: bearer, key: bearer });
  expect(description.security).toEqual([{ session: [] }]);
  expect(description.paths['/api/v1/login'].post.security).toEqual([]);
  expect(description.paths['/api/v1/login'].post.responses).not.toHaveProperty('401');
});

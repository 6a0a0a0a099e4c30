import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { ERROR_CODES } from '@winnow/contract/api/error-codes';
import { ROUTE_ACCESS } from '@winnow/contract/route-access';
import createClient from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type SellingWinnow, startSelling } from './billing/stripe/testing/billing.ts';
import { call } from './testing/caller.ts';

const require = createRequire(import.meta.url);
/**
 * Twice the current size in bytes. If schemas were copied into each operation that uses them, the
 * description would exceed it.
 */
const MAX_BYTES = 700_000;
const MAX_COMPRESSED_BYTES = 60_000;

const media = z.object({ schema: z.json(), examples: z.record(z.string(), z.json()).optional() }).partial();
const body = z.object({
  description: z.string().optional(),
  content: z.record(z.string(), media).optional(),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()).length(1),
  parameters: z
    .array(
      z.union([
        z.object({ $ref: z.literal('#/components/parameters/Winnow-Workspace') }),
        z.object({ name: z.string(), in: z.string(), description: z.string(), schema: z.json() }),
      ]),
    )
    .default([]),
  requestBody: body.optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), body])),
});
const openApi = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.json()),
    responses: z.record(z.string(), body),
  }),
});

let selling: SellingWinnow;
let source: string;
let document: z.infer<typeof openApi>;

beforeAll(async () => {
  // An installation that sells plans has more routes.
  selling = await startSelling();
  source = (await call(selling.winnow.origin, 'GET', '/api/openapi.json')).text;
});
afterAll(() => selling.close());

test('describes every operation with its id, texts, parameters, errors and examples', () => {
  document = openApi.parse(JSON.parse(source));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => ({ name: `${method.toUpperCase()} ${path}`, ...value })),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  const described = operations.map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1'));
  const expected = Object.keys(ROUTE_ACCESS).filter((route) => !route.endsWith(' /mcp'));
  expect(expected.filter((route) => !described.includes(route))).toEqual([]);

  for (const { name, requestBody, responses } of operations) {
    expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['429', '500', '503']));
    const successes = Object.entries(responses).filter(([status]) => status < '300');
    expect(successes.length, name).toBeGreaterThan(0);
    const bodies = [requestBody, ...successes.map(([, response]) => body.parse(response))];
    for (const { 'application/json': json } of bodies.map((one) => one?.content ?? {})) {
      const isUntyped = JSON.stringify(json?.schema ?? {}).startsWith('{"type":"object"');
      if (json !== undefined && !isUntyped)
        expect([name, Object.keys(json.examples ?? {}).length]).toEqual([name, 1]);
      // A schema of the contract must be referenced and not copied.
      if (json !== undefined && !isUntyped)
        expect([name, JSON.stringify(json.schema)]).toEqual([
          name,
          expect.stringContaining('#/components/schemas/'),
        ]);
    }
  }
  const codesOf = (method: string, path: string, status: string) => {
    const response = document.paths[path]?.[method]?.responses[status];
    const name = z.object({ $ref: z.string() }).parse(response).$ref.replace('#/components/responses/', '');
    return Object.keys(
      document.components.responses[name]?.content?.['application/json']?.examples ?? {},
    ).sort();
  };
  expect(codesOf('patch', '/api/v1/issue-duplicates/execute-resolution', '409')).toContain(
    'error-changed_since',
  );
  const ofWorkspace = ['error-not_a_member', 'error-role_required', 'error-second_factor_missing'];
  expect(codesOf('get', '/api/v1/search', '403')).toEqual([...ofWorkspace, 'error-scope_required'].sort());
  expect(codesOf('get', '/api/v1/trackers', '403')).toEqual([...ofWorkspace, 'error-user_required']);
  expect(codesOf('get', '/api/v1/auth/sessions', '403')).toEqual(['error-user_required']);
  expect(codesOf('post', '/api/v1/leads', '422')).toEqual(['error-invalid_fields']);
});

test('stays below its size limits, both uncompressed and compressed', async () => {
  expect(source.length).toBeLessThan(MAX_BYTES);
  const url = new URL('/api/openapi.json', selling.winnow.origin);
  const answer = await new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    httpRequest(url, { headers: { 'accept-encoding': 'gzip, br' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
  expect(answer.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'public, no-cache' });
  expect(answer.bytes.length).toBeLessThan(MAX_COMPRESSED_BYTES);
  expect(brotliDecompressSync(answer.bytes).toString()).toBe(source);
  const etag = String(answer.headers.etag);
  const again = await fetch(url, { headers: { 'if-none-match': etag } });
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
});

test('has no errors by the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config });
  const told = problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
  expect(told.filter((problem) => !KNOWN_WARNINGS.some((known) => problem.includes(known)))).toEqual([]);
});

/**
 * Accepted warnings. The path of presets does not conflict with that of flows. The server address
 * is the one on which this test listens.
 */
const KNOWN_WARNINGS = ['`/api/v1/flows/presets/{preset_id}`', 'no-server-example.com'];

const CLIENT = `import createClient from 'openapi-fetch';
import type { components, operations, paths } from './api';

const client = createClient<paths>({ baseUrl: 'http://localhost:3000' });

export async function titles(): Promise<string[]> {
  const { data, error, response } = await client.GET('/api/v1/search', {
    params: { query: { query: 'export', project_id: ['3f2a9c1b'], limit: 5 } },
  });
  if (error !== undefined) throw new Error(\`\${response.status} \${error.code}: \${error.detail}\`);
  return data.results.map(({ item_type, item }) => (item_type === 'comment' ? item.issue.title : item.title));
}

export async function sign(body: components['schemas']['LoginRequest']): Promise<string | undefined> {
  const { data } = await client.POST('/api/v1/auth/token/json', { body });
  return data?.access_token;
}

export type Payload = components['schemas']['ExecutionLog']['payload'];
export const payload: Payload = { nested: [{ deeper: [1, null, 'text'] }] };
export type Conflict =
  operations['resolvePair']['responses'][409]['content']['application/json']['code'];
export const conflict: Conflict = 'changed_since';
// @ts-expect-error An issue has no such field.
export type Missing = components['schemas']['Issue']['absent'];
`;

test('generates a client with openapi-typescript that compiles and works', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'winnow-client-'));
  try {
    await writeFile(join(folder, 'api.d.ts'), astToString(await openapiTS(source)));
    await writeFile(join(folder, 'client.ts'), CLIENT);
    const types = require.resolve('openapi-fetch').replace(/\.\w+$/, '.d.mts');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: [],
      paths: { 'openapi-fetch': [types], 'openapi-typescript-helpers': [helpersBeside(types)] },
    };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['client.ts', 'api.d.ts'] }),
    );
    const compiler = join(require.resolve('@typescript/native/package.json'), '..', 'bin', 'tsc');
    const compiled = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  const caller = await selling.winnow.newCaller();
  const headers = { authorization: `Bearer ${caller.tokens.access_token}` };
  const client = createClient<Paths>({ baseUrl: selling.winnow.origin, headers });
  const { data } = await client.GET('/api/v1/issues-count');
  expect(data).toEqual({ total_issues: 0, total_processed: 0, notice: null });
  const { error } = await client.GET('/api/v1/issues/{issue}', { params: { path: { issue: 'acme/web#1' } } });
  expect(error?.code).toBe('not_found' satisfies keyof typeof ERROR_CODES);
}, 120_000);

/** The part of the generated types that the calls above use. */
interface Paths {
  '/api/v1/issues-count': { get: { responses: { 200: { content: { 'application/json': unknown } } } } };
  '/api/v1/issues/{issue}': {
    get: {
      parameters: { path: { issue: string } };
      responses: {
        200: { content: { 'application/json': unknown } };
        404: { content: { 'application/json': { code: string } } };
      };
    };
  };
}

function helpersBeside(types: string): string {
  return createRequire(types)
    .resolve('openapi-typescript-helpers')
    .replace(/\.\w+$/, '.d.ts');
}

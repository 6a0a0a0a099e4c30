import { expect, test } from 'vitest';
import { startGitHubEmulator } from '../../github/emulator.ts';
import { testSeed, tokens } from '../../github/test-seed.ts';
import type { Exchange } from '../../http/host.ts';
import { plainClient } from '../../http/plain-client.ts';
import { CALLS, compareWithOwnSchemas } from './conformance.ts';

const exchange = (more: Partial<Exchange>): Exchange => ({
  method: 'POST',
  path: '/',
  query: {},
  requestHeaders: {},
  requestBody: undefined,
  status: 200,
  responseHeaders: {},
  responseBody: null,
  fault: null,
  ...more,
});

test.each(['github', 'gitlab', 'jira'] as const)('every schema of %s rejects an absent body', (type) => {
  const schemas = CALLS[type].flatMap(({ request, response }) => [request, response]);
  for (const schema of schemas) expect(schema?.safeParse(undefined).success ?? false).toBe(false);
  expect(schemas.filter((schema) => schema !== undefined).length).toBeGreaterThan(20);
});

test.each([
  [
    'github',
    'a misspelt field',
    { path: '/repos/a/b/issues/1', method: 'PATCH', requestBody: { titel: 'x' } },
  ],
  ['github', 'a missing title', { path: '/repos/a/b/issues', requestBody: { body: 'x' } }],
  [
    'gitlab',
    'an unknown event',
    { path: '/projects/5/issues/1', method: 'PUT', requestBody: { state_event: 'shut' } },
  ],
  ['jira', 'plain text in version 3', { path: '/rest/api/3/issue/A-1/comment', requestBody: { body: 'x' } }],
  ['jira', 'a document in version 2', { path: '/rest/api/2/issue/A-1/comment', requestBody: { body: {} } }],
] as const)('a request to %s with %s is rejected', (type, _fault, sent) => {
  expect(compareWithOwnSchemas(type, exchange(sent)).join()).toContain(': request /');
});

test('an invalid response is rejected, unless a fault changed it', () => {
  const read = exchange({ method: 'GET', path: '/repos/a/b/issues/1', responseBody: { id: 'x' } });
  expect(compareWithOwnSchemas('github', read).join()).toContain('response /id');
  expect(compareWithOwnSchemas('github', { ...read, fault: 'status' })).toEqual([]);
});

test('a request that the tracker rejected is not compared', () => {
  const refused = exchange({ path: '/repos/a/b/issues', requestBody: { body: 1 }, status: 422 });
  expect(compareWithOwnSchemas('github', refused)).toEqual([]);
});

test('messages of the GitHub emulator match the schemas', async () => {
  const faults: string[] = [];
  const github = await startGitHubEmulator({
    seed: testSeed,
    onExchange: (seen) => faults.push(...compareWithOwnSchemas('github', seen)),
  });
  const call = plainClient(github.url, tokens.admin);
  const body = { title: 'New', body: 'Text', labels: ['bug'], assignees: ['ben'] };
  expect((await call('POST', '/repos/acme/shop/issues', body)).status).toBe(201);
  expect((await call('GET', '/repos/acme/shop/issues?state=all')).status).toBe(200);
  await github.close();
  expect(faults).toEqual([]);
});

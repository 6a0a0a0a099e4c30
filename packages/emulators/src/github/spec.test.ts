import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Exchange } from '../http/host.ts';
import { plainClient } from '../http/plain-client.ts';
import { exchangeErrors } from '../http/spec-exchange.ts';
import { loadSpecCheck } from '../spec-check.ts';
import { startGitHubEmulator } from './emulator.ts';
import { routes } from './routes.ts';
import { smallSeed, smallSeedTokens } from './small-seed.ts';
import { testSeed, tokens } from './test-seed.ts';

const check = await loadSpecCheck('github');

/** Routes that are missing in the published API description. They are therefore not compared. */
const undescribed = [
  'GET /users/:user',
  'GET /users/:user/repos',
  'GET /meta',
  'PUT /repos/:owner/:repo/pulls/:number/merge',
];
const shop = '/repos/acme/shop';

/**
 * One valid request for each route, in an order in which all required objects exist. `ID` is a
 * comment of issue 2, `ISSUE` is the database id of issue 1, and `HOOK` is the created webhook.
 */
const walk: [string, string, Record<string, unknown>?][] = [
  ['GET', '/user'],
  ['GET', '/user/orgs'],
  ['GET', '/user/repos?per_page=100&sort=updated'],
  ['GET', '/orgs/acme'],
  ['GET', '/orgs/acme/repos'],
  ['GET', '/users/ada'],
  ['GET', '/users/ada/repos'],
  ['GET', '/rate_limit'],
  ['GET', '/meta'],
  ['GET', shop],
  ['GET', `${shop}/issues?state=all&per_page=100&sort=updated&direction=asc&since=2020-01-01T00:00:00Z`],
  ['POST', `${shop}/issues`, { title: 'New', body: 'Text', labels: ['bug'], assignees: ['ben'] }],
  ['GET', `${shop}/issues/1`],
  [
    'PATCH',
    `${shop}/issues/2`,
    { title: 'T', body: 'B', labels: ['a'], assignees: ['ada'], state: 'closed' },
  ],
  ['POST', `${shop}/issues/2/assignees`, { assignees: ['ben'] }],
  ['DELETE', `${shop}/issues/2/assignees`, { assignees: ['ada'] }],
  ['POST', `${shop}/issues/2/comments`, { body: 'A comment' }],
  ['GET', `${shop}/issues/2/comments`],
  ['GET', `${shop}/issues/comments?sort=updated&direction=desc&since=2020-01-01T00:00:00Z`],
  ['GET', `${shop}/issues/comments/ID`],
  ['PATCH', `${shop}/issues/comments/ID`, { body: 'Edited' }],
  ['GET', `${shop}/issues/2/events`],
  ['GET', `${shop}/issues/2/timeline`],
  ['GET', `${shop}/issues/events`],
  ['DELETE', `${shop}/issues/comments/ID`],
  ['GET', `${shop}/labels`],
  ['POST', `${shop}/labels`, { name: 'made', color: '00ff00', description: 'New' }],
  ['GET', `${shop}/labels/made`],
  ['PATCH', `${shop}/labels/made`, { new_name: 'remade' }],
  ['DELETE', `${shop}/labels/remade`],
  ['GET', `${shop}/issues/2/labels`],
  ['POST', `${shop}/issues/2/labels`, { labels: ['b', 'c'] }],
  ['PUT', `${shop}/issues/2/labels`, { labels: ['b', 'd'] }],
  ['DELETE', `${shop}/issues/2/labels/b`],
  ['DELETE', `${shop}/issues/2/labels`],
  ['GET', `${shop}/pulls?state=all`],
  ['GET', `${shop}/assignees`],
  ['GET', `${shop}/assignees/ada`],
  ['POST', `${shop}/issues/2/dependencies/blocked_by`, { issue_id: 'ISSUE' }],
  ['GET', `${shop}/issues/2/dependencies/blocked_by`],
  ['GET', `${shop}/issues/1/dependencies/blocking`],
  ['DELETE', `${shop}/issues/2/dependencies/blocked_by/ISSUE`],
  ['POST', `${shop}/issues/2/sub_issues`, { sub_issue_id: 'ISSUE' }],
  ['GET', `${shop}/issues/2/sub_issues`],
  ['GET', `${shop}/issues/1/parent`],
  ['DELETE', `${shop}/issues/2/sub_issue`, { sub_issue_id: 'ISSUE' }],
  ['PUT', `${shop}/pulls/4/merge`],
  [
    'POST',
    `${shop}/hooks`,
    { name: 'web', events: ['issues'], config: { url: 'http://127.0.0.1:9/', secret: 's' } },
  ],
  ['GET', `${shop}/hooks`],
  ['PATCH', `${shop}/hooks/HOOK`, { active: false }],
  ['DELETE', `${shop}/hooks/HOOK`],
];

function routeOf(method: string, path: string): string | undefined {
  const segments = path.split('?')[0]?.split('/') ?? [];
  const fits = (pattern: string) => {
    const wanted = pattern.split('/');
    return (
      wanted.length === segments.length &&
      wanted.every((part, i) => part.startsWith(':') || part === segments[i])
    );
  };
  const found = routes.find((route) => route.method === method && fits(route.path));
  return found && `${found.method} ${found.path}`;
}

test('the requests cover all routes', () => {
  const walked = new Set(walk.map(([method, path]) => routeOf(method, path)));
  expect(routes.map((route) => `${route.method} ${route.path}`).filter((name) => !walked.has(name))).toEqual(
    [],
  );
});

test.skipIf(!check)('all routes respond as published, to classic and fine-grained tokens', async () => {
  if (!check) return;
  const errors: string[] = [];
  const checked = new Set<string>();
  for (const token of [tokens.admin, 'github_pat_walk']) {
    const onExchange = (exchange: Exchange) => {
      errors.push(...exchangeErrors(check, exchange));
      const { operation } = check.checkRequest(exchange);
      if (operation) checked.add(operation);
    };
    const github = await startGitHubEmulator({ seed: testSeed, onExchange });
    github.setToken({ token: 'github_pat_walk', login: 'ada', repos: 'all' });
    const call = plainClient(github.url, token);
    let hook = '';
    for (const [method, path, body] of walk) {
      const comment = github.issue('acme', 'shop', 2).comments[0]?.id ?? 0;
      const issue = github.issue('acme', 'shop', 1).id;
      const at = path.replace('ISSUE', String(issue)).replace('HOOK', hook).replace('ID', String(comment));
      const sent =
        body &&
        Object.fromEntries(
          Object.entries(body).map(([name, value]) => [name, value === 'ISSUE' ? issue : value]),
        );
      const answer = await call(method, at, sent);
      if (path.endsWith('/hooks') && method === 'POST')
        hook = String(z.object({ id: z.int() }).parse(answer.body).id);
      expect([method, path, answer.status]).toEqual([method, path, expect.toSatisfy((s: number) => s < 300)]);
    }
    await github.close();
  }
  expect(errors).toEqual([]);
  expect(checked.size).toBe(walk.filter(([method, path]) => !isUndescribed(method, path)).length);
});

function isUndescribed(method: string, path: string): boolean {
  return undescribed.some((route) => routeOf(method, path) === route);
}

test.skipIf(!check)('error responses have the published format', async () => {
  if (!check) return;
  const exchanges: Exchange[] = [];
  const github = await startGitHubEmulator({
    seed: testSeed,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  github.renameRepo('ada', 'notes', 'papers');
  const admin = plainClient(github.url, tokens.admin);
  await plainClient(github.url, 'ghp_wrong')('GET', '/user');
  await plainClient(github.url, tokens.triage)('PATCH', `${shop}/issues/1`, { title: 'x' });
  await admin('POST', `${shop}/issues`, { body: 1 });
  await admin('GET', `${shop}/issues/99`);
  await admin('GET', '/repos/acme/mirror/issues/1');
  await admin('GET', '/repos/ada/notes');
  await github.close();
  expect(exchanges.map((exchange) => exchange.status)).toEqual([401, 403, 422, 404, 410, 301]);
  for (const exchange of exchanges) {
    const { method, path, status, responseBody: body } = exchange;
    const result = check.checkResponse({ method, path, status, body });
    expect([path, result.documented, result.errors]).toEqual([path, true, []]);
    expect(body).toMatchObject({ message: expect.any(String), documentation_url: expect.any(String) });
  }
});

test.skipIf(!check)('the check detects an invalid request that was accepted, and an invalid response', () => {
  if (!check) return;
  const exchange: Exchange = {
    method: 'POST',
    path: `${shop}/issues`,
    query: {},
    requestHeaders: {},
    requestBody: { body: 1 },
    status: 201,
    responseHeaders: {},
    responseBody: { id: 'x' },
    fault: null,
  };
  const errors = exchangeErrors(check, exchange).join('\n');
  expect(errors).toContain("request /requestBody must have required property 'title'");
  expect(errors).toContain('answer /id must be integer');
});

test.skipIf(!check)('the backlog for manual use is valid', async () => {
  if (!check) return;
  const errors: string[] = [];
  const onExchange = (exchange: Exchange) => errors.push(...exchangeErrors(check, exchange));
  const small = await startGitHubEmulator({ seed: smallSeed, onExchange });
  const list = await plainClient(small.url, smallSeedTokens.admin)(
    'GET',
    '/repos/ladle-app/ladle/issues?state=all',
  );
  expect(list.body).toHaveLength(10);
  await small.close();
  expect(errors).toEqual([]);
});

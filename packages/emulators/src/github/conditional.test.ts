import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '../http/clock.ts';
import { plainClient } from '../http/plain-client.ts';
import { type GitHubEmulator, startGitHubEmulator } from './emulator.ts';
import { testSeed, tokens } from './test-seed.ts';

let github: GitHubEmulator;
let clock: ReturnType<typeof manualClock>;
let call: ReturnType<typeof plainClient>;
const shop = '/repos/acme/shop/issues';

beforeEach(async () => {
  clock = manualClock();
  github = await startGitHubEmulator({ seed: testSeed, clock: clock.now, rateLimit: 3 });
  call = plainClient(github.url, tokens.admin);
});
afterEach(() => github.close());

const rate = (headers: Headers, name: string) => Number(headers.get(`x-ratelimit-${name}`));

describe('ETag', () => {
  test('an unchanged response gets status 304 without a body, and does not count against the limit', async () => {
    const first = await call('GET', shop);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/);
    const again = await call('GET', shop, undefined, { 'if-none-match': etag });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(rate(again.headers, 'remaining')).toBe(2);
    github.editAs('ben', 'acme', 'shop', 2, { title: 'Other' });
    const changed = await call('GET', shop, undefined, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(rate(changed.headers, 'remaining')).toBe(1);
  });

  test('an unchanged first page gets status 304 even if another page was added', async () => {
    const path = `${shop}?state=all&sort=created&direction=asc&per_page=5`;
    const first = await call('GET', path);
    expect(first.headers.get('link')).toBeNull();
    github.createIssue('acme', 'shop', { title: 'Later', body: null });
    const etag = first.headers.get('etag') ?? '';
    expect((await call('GET', path, undefined, { 'if-none-match': etag })).status).toBe(304);
  });

  test('a 304 for a caller without a token counts as a request', async () => {
    const nobody = plainClient(github.url);
    const first = await nobody('GET', shop);
    const again = await nobody('GET', shop, undefined, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, rate(again.headers, 'remaining')]).toEqual([304, 1]);
  });
});

describe('primary limit', () => {
  test('the request after the last one gets status 403 with the reset time, and later requests succeed', async () => {
    for (const remaining of [2, 1, 0]) {
      expect(rate((await call('GET', '/user')).headers, 'remaining')).toBe(remaining);
    }
    const refused = await call('GET', '/user');
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      message: expect.stringMatching(/^API rate limit exceeded for user ID \d+/),
    });
    expect(rate(refused.headers, 'used')).toBe(3);
    expect(rate(refused.headers, 'reset')).toBe(Date.parse('2024-06-01T13:00:00Z') / 1000);
    expect((await plainClient(github.url, tokens.triage)('GET', '/user')).status).toBe(200);
    clock.advance(3600);
    expect((await call('GET', '/user')).status).toBe(200);
  });

  test('requests for the rate limit are free', async () => {
    await call('GET', '/user');
    for (let i = 0; i < 5; i += 1) await call('GET', '/rate_limit');
    expect((await call('GET', '/rate_limit')).body).toMatchObject({
      resources: { core: { limit: 3, used: 1, remaining: 2 } },
    });
  });
});

describe('an Enterprise Server', () => {
  test('responds only below /api/v3, reports its version, links there, and has no rate limit', async () => {
    const enterprise = await startGitHubEmulator({
      seed: testSeed,
      enterprise: true,
      enterpriseVersion: '3.17.2',
    });
    try {
      const ask = plainClient(enterprise.url, tokens.admin);
      expect((await ask('GET', '/user')).status).toBe(404);
      const list = await ask('GET', '/api/v3/repos/acme/shop/issues?per_page=1');
      expect(list.headers.get('x-github-enterprise-version')).toBe('3.17.2');
      expect(list.headers.get('x-ratelimit-limit')).toBeNull();
      expect(list.headers.get('link')).toContain(`<${enterprise.apiUrl}/repositories/`);
      expect(list.body).toMatchObject([{ url: `${enterprise.apiUrl}/repos/acme/shop/issues/5` }]);
      expect((await ask('GET', '/api/v3/meta')).body).toMatchObject({ installed_version: '3.17.2' });
      expect((await ask('GET', '/api/v3/rate_limit')).status).toBe(404);
    } finally {
      await enterprise.close();
    }
  });

  test('an older version does not support the state reason duplicate', async () => {
    const old = await startGitHubEmulator({ seed: testSeed, enterprise: true, duplicateReason: false });
    try {
      const ask = plainClient(old.apiUrl, tokens.admin);
      const close = (state_reason: string) => ask('PATCH', `${shop}/2`, { state: 'closed', state_reason });
      expect((await close('duplicate')).status).toBe(422);
      expect((await close('not_planned')).status).toBe(200);
    } finally {
      await old.close();
    }
  });
});

test('the newer API version has no field assignee, and an unknown version gets status 400', async () => {
  const version = (value: string) => call('GET', `${shop}/1`, undefined, { 'x-github-api-version': value });
  const newer = await version('2026-03-10');
  expect(newer.headers.get('x-github-api-version-selected')).toBe('2026-03-10');
  expect(newer.body).not.toHaveProperty('assignee');
  expect((await version('2001-01-01')).status).toBe(400);
});

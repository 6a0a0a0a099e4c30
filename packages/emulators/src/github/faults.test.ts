import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualClock } from '../http/clock.ts';
import { plainClient } from '../http/plain-client.ts';
import { type GitHubEmulator, startGitHubEmulator } from './emulator.ts';
import { testSeed, tokens } from './test-seed.ts';

let github: GitHubEmulator;
let call: ReturnType<typeof plainClient>;
const shop = '/repos/acme/shop/issues';

beforeEach(async () => {
  github = await startGitHubEmulator({ seed: testSeed, clock: manualClock().now });
  call = plainClient(github.url, tokens.admin);
});
afterEach(() => github.close());

test('a request with a fault is handled only if the fault says so', async () => {
  github.faults.add({ times: 1, action: { kind: 'status', status: 503 } });
  const lost = await call('POST', `${shop}/2/comments`, { body: 'One' });
  expect([lost.status, lost.body]).toMatchObject([503, { message: 'Server Error', status: '503' }]);
  expect(github.issue('acme', 'shop', 2).comments).toEqual([]);
  github.faults.add({ times: 1, action: { kind: 'status', status: 502, handled: true } });
  expect((await call('POST', `${shop}/2/comments`, { body: 'Two' })).status).toBe(502);
  expect(github.issue('acme', 'shop', 2).comments).toMatchObject([{ body: 'Two' }]);
});

test('each kind of rate limit has a message', async () => {
  github.faults.add({ times: 1, action: { kind: 'secondary-limit', retryAfterSeconds: 2 } });
  const second = await call('GET', shop);
  expect([second.status, second.headers.get('retry-after')]).toEqual([403, '2']);
  expect(second.body).toMatchObject({
    message: expect.stringContaining('exceeded a secondary rate limit'),
  });
  expect(Number(second.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
  github.faults.add({ times: 1, action: { kind: 'primary-limit', status: 429, resetInSeconds: 30 } });
  const first = await call('GET', shop);
  expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
  expect(first.headers.get('x-ratelimit-reset')).toBe(String(Date.parse('2024-06-01T12:00:30Z') / 1000));
  expect(first.headers.get('retry-after')).toBeNull();
});

test('the log contains callers without their tokens, and the state contains the results', async () => {
  await call('PATCH', `${shop}/2`, { state: 'closed' });
  const log = await call('GET', '/_emulator/requests');
  expect(log.body).toMatchObject([
    { method: 'PATCH', path: `${shop}/2`, status: 200, login: 'ada', body: { state: 'closed' }, fault: null },
  ]);
  expect(JSON.stringify(log.body)).not.toContain(tokens.admin);
  const state = await call('GET', '/_emulator/state?repo=acme/shop');
  expect(state.body).toMatchObject({ repos: [{ full_name: 'acme/shop' }] });
  expect(JSON.stringify(state.body)).toContain('"closed_by":"ada"');
});

test('the HTML page of an issue escapes its texts', async () => {
  github.createIssue('ada', 'notes', { title: '<script>alert(1)</script>', body: '<b>bold</b>' });
  const { body } = await call('GET', '/ada/notes/issues/1');
  expect(body).toContain('&lt;script&gt;alert(1)');
  expect(body).not.toContain('<b>bold');
});

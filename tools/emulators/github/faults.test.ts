import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type GitHubEmulator, startGitHubEmulator } from './emulator.ts';
import { handClock, plainClient, tokens, trialBacklog } from './trial-backlog.ts';

let github: GitHubEmulator;
let call: ReturnType<typeof plainClient>;
const shop = '/repos/acme/shop/issues';

beforeEach(async () => {
  github = await startGitHubEmulator({ seed: trialBacklog, clock: handClock().now });
  call = plainClient(github.url, tokens.admin);
});
afterEach(() => github.close());

async function statuses(count: number, path = shop): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) found.push((await call('GET', path)).status);
  return found;
}

describe('when', () => {
  test('only for the method and path that match, only so often, after so many', async () => {
    github.faults.add({
      match: { method: 'get', path: '/issues\\?page=2$' },
      skip: 1,
      times: 2,
      action: { kind: 'status', status: 502 },
    });
    expect(await statuses(2)).toEqual([200, 200]);
    expect(await statuses(5, `${shop}?page=2`)).toEqual([200, 502, 502, 200, 200]);
    expect(github.faults.list()).toMatchObject([{ matched: 5, fired: 2 }]);
  });

  test('every n-th', async () => {
    github.faults.add({ every: 3, action: { kind: 'status', status: 500 } });
    expect(await statuses(6)).toEqual([200, 200, 500, 200, 200, 500]);
  });

  test('by chance, the same each time for the same seed', async () => {
    const draw = async (seed: number) => {
      github.faults.clear();
      github.faults.add({ probability: 0.5, seed, action: { kind: 'status', status: 500 } });
      return statuses(40);
    };
    const first = await draw(7);
    expect(first.filter((status) => status === 500).length).toBeGreaterThan(10);
    expect(first.filter((status) => status === 500).length).toBeLessThan(30);
    expect(await draw(7)).toEqual(first);
    expect(await draw(8)).not.toEqual(first);
  });
});

describe('what', () => {
  test('a status comes in place of the answer and nothing is done, unless the fault says that it was', async () => {
    github.faults.add({ times: 1, action: { kind: 'status', status: 503, body: '<h1>Unicorn</h1>' } });
    const lost = await call('POST', `${shop}/2/comments`, { body: 'One' });
    expect([lost.status, lost.body]).toEqual([503, '<h1>Unicorn</h1>']);
    expect(github.issue('acme', 'shop', 2).comments).toEqual([]);
    github.faults.add({ times: 1, action: { kind: 'status', status: 502, handled: true } });
    expect((await call('POST', `${shop}/2/comments`, { body: 'Two' })).status).toBe(502);
    expect(github.issue('acme', 'shop', 2).comments).toMatchObject([{ body: 'Two' }]);
  });

  test('the two kinds of rate limit, each in its own words', async () => {
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

  test('JSON that ends in the middle', async () => {
    github.faults.add({ times: 1, action: { kind: 'malformed' } });
    await expect(call('GET', shop)).rejects.toThrow(SyntaxError);
    expect(await statuses(1)).toEqual([200]);
  });

  test('a connection that ends before the request is carried out, and one that ends within the answer', async () => {
    github.faults.add({ times: 1, action: { kind: 'drop', when: 'before' } });
    await expect(call('POST', `${shop}/2/comments`, { body: 'One' })).rejects.toThrow();
    expect(github.issue('acme', 'shop', 2).comments).toEqual([]);
    github.faults.add({ times: 1, action: { kind: 'drop', when: 'mid-body' } });
    await expect(call('POST', `${shop}/2/comments`, { body: 'Two' })).rejects.toThrow();
    expect(github.issue('acme', 'shop', 2).comments).toMatchObject([{ body: 'Two' }]);
  });

  test('an answer that comes late, and one that comes in drops, are complete all the same', async () => {
    const usual = await call('GET', `${shop}/1`);
    github.faults.add({ times: 1, action: { kind: 'delay', delayMs: 40 } });
    const beganMs = performance.now();
    expect((await call('GET', `${shop}/1`)).body).toEqual(usual.body);
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(38);
    github.faults.add({ times: 1, action: { kind: 'slow', chunkBytes: 500, intervalMs: 2 } });
    expect((await call('GET', `${shop}/1`)).body).toEqual(usual.body);
  });

  test('closing does not wait for an answer that is being delayed', async () => {
    const other = await startGitHubEmulator({ seed: trialBacklog });
    other.faults.add({ action: { kind: 'delay', delayMs: 60_000 } });
    const pending = plainClient(other.url)('GET', shop);
    const failed = expect(pending).rejects.toThrow();
    while (other.faults.list()[0]?.fired !== 1) await new Promise((resolve) => setImmediate(resolve));
    await other.close();
    await failed;
  });
});

describe('over HTTP', () => {
  test('faults are set, listed and cleared; a bad one is refused with a reason', async () => {
    const bad = await call('POST', '/_emulator/faults', { action: { kind: 'explode' } });
    expect([bad.status, bad.body]).toMatchObject([400, { message: expect.stringContaining('action.kind') }]);
    const path = await call('POST', '/_emulator/faults', {
      match: { path: '(' },
      action: { kind: 'malformed' },
    });
    expect(path.status).toBe(400);
    const set = { match: { path: 'issues' }, every: 2, action: { kind: 'status', status: 500 } };
    expect((await call('POST', '/_emulator/faults', set)).status).toBe(201);
    expect(await statuses(2)).toEqual([200, 500]);
    expect((await call('GET', '/_emulator/faults')).body).toMatchObject([{ fault: set, fired: 1 }]);
    await call('DELETE', '/_emulator/faults');
    expect(await statuses(2)).toEqual([200, 200]);
  });

  test('the log tells who asked for what and holds no token, the state tells what came of it', async () => {
    await call('PATCH', `${shop}/2`, { state: 'closed' });
    const log = await call('GET', '/_emulator/requests');
    expect(log.body).toMatchObject([
      {
        method: 'PATCH',
        path: `${shop}/2`,
        status: 200,
        login: 'ada',
        body: { state: 'closed' },
        fault: null,
      },
    ]);
    expect(JSON.stringify(log.body)).not.toContain(tokens.admin);
    const state = await call('GET', '/_emulator/state?repo=acme/shop');
    expect(state.body).toMatchObject({ repos: [{ full_name: 'acme/shop' }] });
    expect(JSON.stringify(state.body)).toContain('"closed_by":"ada"');
  });

  test('a request can be waited for, before and after it came', async () => {
    const coming = github.requests.waitFor((entry) => entry.path === '/user');
    await call('GET', '/user');
    expect((await coming).status).toBe(200);
    expect((await github.requests.waitFor((entry) => entry.path === '/user')).login).toBe('ada');
    await expect(github.requests.waitFor((entry) => entry.path === '/never', 5)).rejects.toThrow(
      'within 5 ms',
    );
  });
});

test('the page of an issue shows its text as text', async () => {
  github.createIssue('ada', 'notes', { title: '<script>alert(1)</script>', body: '<b>bold</b>' });
  const { body } = await call('GET', '/ada/notes/issues/1');
  expect(body).toContain('&lt;script&gt;alert(1)');
  expect(body).not.toContain('<b>bold');
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '../http/clock.ts';
import { plainClient } from '../http/plain-client.ts';
import { type GitHubEmulator, startGitHubEmulator } from './emulator.ts';
import type { GitHubSeedIssue } from './seed.ts';
import { testSeed, tokens } from './test-seed.ts';

let github: GitHubEmulator;
let clock: ReturnType<typeof manualClock>;
let call: ReturnType<typeof plainClient>;
const shop = '/repos/acme/shop/issues';

beforeEach(async () => {
  clock = manualClock();
  github = await startGitHubEmulator({ seed: testSeed, clock: clock.now });
  call = plainClient(github.url, tokens.admin);
});
afterEach(() => github.close());

const numbers = (body: unknown) =>
  Array.isArray(body) ? body.map((issue: { number: number }) => issue.number) : body;

describe('listing', () => {
  test('open issues are listed by default, newest first, and pull requests are marked', async () => {
    const { body } = await call('GET', shop);
    expect(numbers(body)).toEqual([5, 4, 2, 1]);
    expect(body).toMatchObject([{}, { number: 4, pull_request: { merged_at: null } }, {}, {}]);
    expect(body).not.toMatchObject([{ pull_request: {} }]);
  });

  test('the list can be filtered by state, labels, creator, and a time that is included', async () => {
    expect(numbers((await call('GET', `${shop}?state=closed`)).body)).toEqual([3]);
    expect(numbers((await call('GET', `${shop}?labels=BUG,cart`)).body)).toEqual([1]);
    expect(numbers((await call('GET', `${shop}?labels=bug,nothing`)).body)).toEqual([]);
    expect(numbers((await call('GET', `${shop}?creator=ben`)).body)).toEqual([2]);
    const since = `${shop}?state=all&sort=updated&direction=asc&since=`;
    expect(numbers((await call('GET', `${since}2024-01-04T10:00:00Z`)).body)).toEqual([3, 4, 5]);
    expect(numbers((await call('GET', `${since}2024-01-04T10:00:01Z`)).body)).toEqual([4, 5]);
  });

  test('an unknown state and an invalid time get status 422', async () => {
    expect((await call('GET', `${shop}?state=ajar`)).status).toBe(422);
    expect((await call('GET', `${shop}?since=yesterday`)).body).toMatchObject({
      errors: [{ field: 'since' }],
    });
  });

  test('pages are linked by the id of the repository, and the links work', async () => {
    const first = await call('GET', `${shop}?state=all&per_page=2`);
    const link = first.headers.get('link') ?? '';
    expect(link).toMatch(
      /repositories\/\d+\/issues\?state=all&per_page=2&page=2>; rel="next", .*page=3>; rel="last"$/,
    );
    const next = await call('GET', /<([^>]+)>; rel="next"/.exec(link)?.[1] ?? '');
    expect(numbers(next.body)).toEqual([3, 2]);
    expect(next.headers.get('link')).toMatch(/rel="prev".*rel="next".*rel="last".*rel="first"/);
    const past = await call('GET', `${shop}?state=all&per_page=2&page=9`);
    expect(past.body).toEqual([]);
    expect(past.headers.get('link')).toMatch(/page=3>; rel="prev"/);
  });

  test('per_page is limited to 100', async () => {
    for (let i = 0; i < 120; i += 1) github.createIssue('ada', 'notes', { title: `Note ${i}`, body: null });
    const answer = await call('GET', '/repos/ada/notes/issues?per_page=1000');
    expect(answer.body).toHaveLength(100);
  });

  test('an edit between two requests shifts pages sorted by updated, so that an issue is skipped', async () => {
    const list = `${shop}?state=all&sort=updated&direction=asc&per_page=2`;
    expect(numbers((await call('GET', list)).body)).toEqual([1, 2]);
    github.editAs('ben', 'acme', 'shop', 1, { title: 'Edited' });
    expect(numbers((await call('GET', `${list}&page=2`)).body)).toEqual([4, 5]);
    expect(numbers((await call('GET', `${list}&page=1`)).body)).toEqual([2, 3]);
  });

  test('a repository with disabled issues lists only pull requests, and its issues get status 410', async () => {
    expect(numbers((await call('GET', '/repos/acme/mirror/issues')).body)).toEqual([2]);
    const one = await call('GET', '/repos/acme/mirror/issues/1');
    expect([one.status, one.body]).toMatchObject([410, { message: 'Issues are disabled for this repo' }]);
    expect((await call('POST', '/repos/acme/mirror/issues', { title: 'x' })).status).toBe(410);
  });
});

describe('creating and editing', () => {
  test.each([
    [{}, 422, '"title" wasn\'t supplied'],
    [{ title: ' ' }, 422, 'Validation Failed'],
    [{ title: 'x'.repeat(257) }, 422, 'Validation Failed'],
    [{ title: 'x', body: 'y'.repeat(65_537) }, 422, 'Validation Failed'],
    [{ title: 'x', labels: 'bug' }, 422, 'not an array'],
    [{ title: 'x', assignees: ['nobody-at-all'] }, 422, 'Validation Failed'],
    ['{"title":', 400, 'Problems parsing JSON'],
    ['[1]', 400, 'Body should be a JSON object'],
  ])('an invalid new issue is rejected: %.60j', async (body, status, message) => {
    const answer = await call('POST', shop, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ message: expect.stringContaining(message) });
    expect(github.state().repos[0]?.issues).toHaveLength(5);
  });

  test('a new issue has the next number, the current time, and an id other than its number', async () => {
    const { status, body, headers } = await call('POST', shop, {
      title: 'New',
      body: '🦆',
      labels: ['bug', 'fresh'],
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${github.url}${shop}/6`);
    expect(body).toMatchObject({
      number: 6,
      body: '🦆',
      created_at: '2024-06-01T12:00:00Z',
      user: { login: 'ada' },
    });
    expect(github.issue('acme', 'shop', 6).id).toBeGreaterThan(2 ** 31);
    expect(github.issue('acme', 'shop', 6).labels).toEqual(['bug', 'fresh']);
  });

  test('updated_at changes only if an edit changes something', async () => {
    await call('PATCH', `${shop}/2`, { title: 'Cart lost on sign-in' });
    expect(github.issue('acme', 'shop', 2).updated_at).toBe('2024-01-03T10:00:00Z');
    await call('PATCH', `${shop}/2`, { title: 'Cart lost' });
    expect(github.issue('acme', 'shop', 2)).toMatchObject({
      updated_at: '2024-06-01T12:00:00Z',
      events: ['renamed'],
    });
  });

  test('closing as a duplicate stores the original, and reopening removes it', async () => {
    const original = github.issue('acme', 'shop', 1);
    const close = { state: 'closed', state_reason: 'duplicate', duplicate_issue_id: original.id };
    const { body } = await call('PATCH', `${shop}/2`, close);
    expect(body).toMatchObject({ state: 'closed', state_reason: 'duplicate', closed_by: { login: 'ada' } });
    expect(body).toMatchObject({ closed_at: '2024-06-01T12:00:00Z' });
    expect(github.issue('acme', 'shop', 2).duplicate_of).toBe('acme/shop#1');
    await call('PATCH', `${shop}/2`, { state: 'open' });
    expect(github.issue('acme', 'shop', 2)).toMatchObject({
      state: 'open',
      state_reason: 'reopened',
      duplicate_of: null,
      closed_at: null,
      events: ['marked_as_duplicate', 'closed', 'unmarked_as_duplicate', 'reopened'],
    });
  });

  test('an issue number and the id of the issue itself are rejected as the original', async () => {
    const own = github.issue('acme', 'shop', 2).id;
    for (const duplicate_issue_id of [1, own]) {
      const close = { state: 'closed', state_reason: 'duplicate', duplicate_issue_id };
      expect((await call('PATCH', `${shop}/2`, close)).status).toBe(422);
    }
    expect(github.issue('acme', 'shop', 2).state).toBe('open');
  });

  test('a reason is ignored if the state does not change', async () => {
    await call('PATCH', `${shop}/3`, { state: 'closed', state_reason: 'completed' });
    await call('PATCH', `${shop}/2`, { state_reason: 'not_planned' });
    expect(github.issue('acme', 'shop', 3).state_reason).toBe('not_planned');
    expect(github.issue('acme', 'shop', 2)).toMatchObject({ state: 'open', state_reason: null });
  });

  test('an unknown state and an unknown reason get status 422', async () => {
    expect((await call('PATCH', `${shop}/2`, { state: 'ajar' })).status).toBe(422);
    expect((await call('PATCH', `${shop}/2`, { state: 'closed', state_reason: 'tired' })).status).toBe(422);
  });
});

test('a pull request can be merged once, and then has a merge time', async () => {
  const merge = () => call('PUT', '/repos/acme/shop/pulls/4/merge', {});
  expect(await merge()).toMatchObject({ status: 200, body: { merged: true } });
  const { body } = await call('GET', `${shop}/4`);
  expect(body).toMatchObject({
    state: 'closed',
    pull_request: { merged_at: clock.now().toISOString().replace('.000', '') },
  });
  expect((await merge()).status).toBe(405);
  expect((await call('PUT', '/repos/acme/shop/pulls/1/merge', {})).status).toBe(404);
});

describe('deleted and moved resources', () => {
  test('a deleted issue gets status 410, and one that never existed gets 404', async () => {
    github.deleteIssue('acme', 'shop', 1);
    expect((await call('GET', `${shop}/1`)).body).toMatchObject({
      message: 'This issue was deleted',
      status: '410',
    });
    expect((await call('GET', `${shop}/99`)).status).toBe(404);
    expect((await call('GET', '/repos/acme/shop/issues/comments')).body).toEqual([]);
  });

  test('a transferred issue redirects to its new number and keeps its comments', async () => {
    const before = github.issue('acme', 'shop', 2);
    const { number } = github.transferIssue('acme', 'shop', 2, 'private');
    const { status, headers } = await call('GET', `${shop}/2`);
    expect(status).toBe(301);
    const there = await call('GET', headers.get('location') ?? '');
    expect(there.body).toMatchObject({ number, title: before.title, comments: before.comments.length });
    github.setArchived('acme', 'private', true);
    expect((await call('GET', '/repos/acme/private')).body).toMatchObject({ archived: true });
    github.deleteRepo('acme', 'private');
    expect((await call('GET', '/repos/acme/private')).status).toBe(404);
  });

  test('a renamed repository redirects with 301 for reads and 307 for writes, but not without access', async () => {
    github.renameRepo('acme', 'private', 'hidden');
    const read = await call('GET', '/repos/acme/private/issues/1');
    expect([read.status, read.body]).toMatchObject([301, { message: 'Moved Permanently' }]);
    const target = read.headers.get('location') ?? '';
    expect((await call('GET', target)).body).toMatchObject({ title: 'Secret' });
    expect((await call('PATCH', '/repos/acme/private/issues/1', { state: 'closed' })).status).toBe(307);
    const stranger = plainClient(github.url, tokens.triage);
    expect((await stranger('GET', '/repos/acme/private/issues/1')).status).toBe(404);
  });
});

describe('seeds', () => {
  test('a seed may exceed the limits of the API: 1 MB of text, 10,000 labels', async () => {
    const labels = Array.from({ length: 10_000 }, (_, index) => `label-${index}`);
    const big: GitHubSeedIssue = { title: 'Big', body: 'ü'.repeat(500_000), labels };
    github.createIssue('ada', 'notes', big);
    const { body } = await call('GET', '/repos/ada/notes/issues/1');
    expect(body).toMatchObject({ body: big.body, labels: { length: 10_000 } });
  });

  test('a repeated issue number in a seed is rejected at startup', async () => {
    const issues = [1, 1].map((number) => ({ number, title: 'x', body: null }));
    const seed = { repos: [{ owner: 'a', name: 'b', issues }], tokens: [] };
    await expect(startGitHubEmulator({ seed })).rejects.toThrow('two issues with the number 1');
  });
});

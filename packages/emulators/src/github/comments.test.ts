import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualClock } from '../http/clock.ts';
import { plainClient } from '../http/plain-client.ts';
import { type GitHubEmulator, startGitHubEmulator } from './emulator.ts';
import { testSeed, tokens } from './test-seed.ts';

let github: GitHubEmulator;
let clock: ReturnType<typeof manualClock>;
let call: ReturnType<typeof plainClient>;
const comments = '/repos/acme/shop/issues/1/comments';
const ofRepo = '/repos/acme/shop/issues/comments';

beforeEach(async () => {
  clock = manualClock();
  github = await startGitHubEmulator({ seed: testSeed, clock: clock.now });
  call = plainClient(github.url, tokens.admin);
});
afterEach(() => github.close());

test.each([
  [{}, '"body" wasn\'t supplied'],
  [{ body: '  ' }, 'Validation Failed'],
  [{ body: null }, 'not a string'],
  [{ body: 'x'.repeat(65_537) }, 'Validation Failed'],
])('an invalid comment is rejected: %.40j', async (body, message) => {
  const answer = await call('POST', comments, body);
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ message: expect.stringContaining(message) });
  expect(github.issue('acme', 'shop', 1).comments).toHaveLength(1);
});

test('adding, editing and deleting a comment changes the count and the updated_at of its issue', async () => {
  const created = await call('POST', comments, { body: 'Duplicate of #2' });
  expect(created.status).toBe(201);
  expect((await call('GET', '/repos/acme/shop/issues/1')).body).toMatchObject({
    comments: 2,
    updated_at: '2024-06-01T12:00:00Z',
  });
  const id = github.issue('acme', 'shop', 1).comments[1]?.id;
  clock.advance(60);
  expect((await call('PATCH', `${ofRepo}/${id}`, { body: 'Edited' })).body).toMatchObject({
    body: 'Edited',
    created_at: '2024-06-01T12:00:00Z',
    updated_at: '2024-06-01T12:01:00Z',
  });
  clock.advance(60);
  expect((await call('DELETE', `${ofRepo}/${id}`)).status).toBe(204);
  expect(github.issue('acme', 'shop', 1)).toMatchObject({
    comments: [{}],
    updated_at: '2024-06-01T12:02:00Z',
  });
  expect((await call('GET', `${ofRepo}/${id}`)).status).toBe(404);
});

test('comments of a repository are sorted, and limited to those since a given time', async () => {
  github.commentAs('cleo', 'acme', 'shop', 2, 'Second');
  clock.advance(1);
  github.commentAs('cleo', 'acme', 'shop', 1, 'Third');
  const newest = await call('GET', `${ofRepo}?sort=created&direction=desc`);
  expect(newest.body).toMatchObject([{ body: 'Third' }, { body: 'Second' }, { body: 'Same here.' }]);
  const late = await call('GET', `${ofRepo}?sort=updated&direction=asc&since=2024-06-01T12:00:01Z`);
  expect(late.body).toMatchObject([{ body: 'Third' }]);
  const unsorted = await call('GET', `${ofRepo}?direction=desc`);
  expect(unsorted.body).toMatchObject([{ body: 'Same here.' }, {}, {}]);
});

test('only users with the write role can change a comment of another user', async () => {
  const id = github.issue('acme', 'shop', 1).comments[0]?.id;
  github.setToken({
    token: 'ghp_cleo',
    login: 'cleo',
    repos: [{ full_name: 'acme/shop', permission: 'triage' }],
  });
  const cleo = plainClient(github.url, 'ghp_cleo');
  expect((await cleo('DELETE', `${ofRepo}/${id}`)).status).toBe(403);
  expect((await call('DELETE', `${ofRepo}/${id}`)).status).toBe(204);
});

test('labels are created, renamed, added to an issue and removed', async () => {
  expect((await call('POST', '/repos/acme/shop/labels', { name: 'BUG' })).status).toBe(422);
  expect((await call('POST', '/repos/acme/shop/labels', { name: 'dup', color: 'red' })).status).toBe(422);
  expect((await call('POST', '/repos/acme/shop/labels', { name: 'dup', color: 'ff0000' })).status).toBe(201);
  await call('POST', '/repos/acme/shop/issues/2/labels', { labels: ['dup', 'new one'] });
  await call('PATCH', '/repos/acme/shop/labels/dup', { new_name: 'duplicate' });
  expect(github.issue('acme', 'shop', 2).labels).toEqual(['duplicate', 'new one']);
  expect((await call('DELETE', '/repos/acme/shop/issues/2/labels/absent')).status).toBe(404);
  await call('DELETE', '/repos/acme/shop/issues/2/labels/new%20one');
  await call('DELETE', '/repos/acme/shop/labels/duplicate');
  expect(github.issue('acme', 'shop', 2)).toMatchObject({ labels: [], updated_at: '2024-06-01T12:00:00Z' });
});

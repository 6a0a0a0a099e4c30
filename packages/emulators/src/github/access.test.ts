import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainClient } from '../http/plain-client.ts';
import { type GitHubEmulator, startGitHubEmulator } from './emulator.ts';
import { testSeed, tokens } from './test-seed.ts';

let github: GitHubEmulator;
const as = (token?: string) => plainClient(github.url, token);

beforeAll(async () => {
  github = await startGitHubEmulator({ seed: testSeed });
});
afterAll(() => github.close());

describe('authentication', () => {
  test('an unknown token gets status 401 with Bad credentials', async () => {
    const answer = await as('ghp_wrong')('GET', '/user');
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ message: 'Bad credentials', status: '401' });
  });

  test('an unsupported authorization scheme gets status 401', async () => {
    const answer = await as()('GET', '/repos/acme/shop', undefined, {
      authorization: `Basic ${btoa('a:b')}`,
    });
    expect(answer.status).toBe(401);
  });

  test('callers without a token can read only public data', async () => {
    expect((await as()('GET', '/repos/acme/shop')).status).toBe(200);
    expect((await as()('GET', '/user')).body).toMatchObject({ message: 'Requires authentication' });
    expect((await as()('GET', '/repos/acme/private')).status).toBe(404);
    expect((await as()('POST', '/repos/acme/shop/issues', { title: 'x' })).status).toBe(401);
  });

  test('a request without a user agent is rejected', async () => {
    const answer = await as(tokens.admin)('GET', '/user', undefined, { 'user-agent': '' });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('User-Agent');
  });

  test('both formats of the authorization header are accepted, and a revoked token is rejected', async () => {
    github.setToken({ token: 'ghp_passing', login: 'ada' });
    const header = { authorization: 'token ghp_passing' };
    expect((await as()('GET', '/user', undefined, header)).status).toBe(200);
    github.revokeToken('ghp_passing');
    expect((await as()('GET', '/user', undefined, header)).status).toBe(401);
  });
});

describe('read access of a token', () => {
  test('a private repository without permission gets the same 404 as one that does not exist', async () => {
    const hidden = await as(tokens.triage)('GET', '/repos/acme/private/issues');
    const missing = await as(tokens.triage)('GET', '/repos/acme/nothing/issues');
    expect(hidden.status).toBe(404);
    expect(hidden.body).toEqual(missing.body);
  });

  test('a classic token without the scope repo sees no private repositories and cannot list organizations', async () => {
    expect((await as(tokens.noScopes)('GET', '/repos/acme/private')).status).toBe(404);
    const orgs = await as(tokens.noScopes)('GET', '/user/orgs');
    expect(orgs.status).toBe(403);
    expect(orgs.body).toMatchObject({ message: expect.stringContaining('read:org') });
  });

  test('the response states the scopes of a classic token, and the permission that a fine-grained token needs', async () => {
    const classic = await as(tokens.admin)('GET', '/repos/acme/shop/issues');
    expect(classic.headers.get('x-oauth-scopes')).toBe('repo, user');
    expect(classic.headers.get('x-accepted-oauth-scopes')).toBe('repo');
    const fine = await as(tokens.fineReader)('GET', '/repos/acme/private/issues');
    expect(fine.headers.get('x-oauth-scopes')).toBeNull();
    expect(fine.headers.get('x-accepted-github-permissions')).toContain('issues=read');
  });

  test('the permissions of a repository reflect the role of the user', async () => {
    const shop = await as(tokens.triage)('GET', '/repos/acme/shop');
    expect(shop.body).toMatchObject({ permissions: { pull: true, triage: true, push: false, admin: false } });
    const other = await as(tokens.triage)('GET', '/repos/ada/notes');
    expect(other.body).toMatchObject({ permissions: { pull: true, triage: false } });
    const reader = await as(tokens.fineReader)('GET', '/repos/acme/private');
    expect(reader.body).toMatchObject({ permissions: { push: true } });
  });

  test('a fine-grained token gets an empty list of organizations', async () => {
    const answer = await as(tokens.fineWriter)('GET', '/user/orgs');
    expect([answer.status, answer.body]).toEqual([200, []]);
  });

  test('a token lists the repositories that it can access, filtered by affiliation', async () => {
    const own = await as(tokens.triage)('GET', '/user/repos');
    expect(own.body).toMatchObject([{ full_name: 'acme/shop' }]);
    const mine = await as(tokens.admin)('GET', '/user/repos?affiliation=owner');
    expect(mine.body).toMatchObject([{ full_name: 'ada/notes' }]);
    const both = await as(tokens.admin)('GET', '/user/repos?affiliation=owner&type=all');
    expect(both.status).toBe(422);
  });

  test('repositories of an organization are listed in pages with links', async () => {
    const first = await as(tokens.admin)('GET', '/orgs/acme/repos?per_page=3');
    expect(first.body).toHaveLength(3);
    expect(first.headers.get('link')).toContain('page=2>; rel="next"');
    const hidden = await as(tokens.triage)('GET', '/orgs/acme/repos?type=private');
    expect(hidden.body).toEqual([]);
    expect((await as(tokens.admin)('GET', '/orgs/ada/repos')).status).toBe(404);
  });
});

describe('write access of a token', () => {
  test('a fine-grained token with read permission gets status 403', async () => {
    for (const token of [tokens.fineReader, tokens.fineBlind]) {
      const answer = await as(token)('PATCH', '/repos/acme/private/issues/1', { state: 'closed' });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ message: 'Resource not accessible by personal access token' });
    }
    expect((await as(tokens.fineBlind)('GET', '/repos/acme/private/issues')).status).toBe(403);
    expect(github.issue('acme', 'private', 1).state).toBe('open');
  });

  test('a fine-grained token cannot change a public repository that it does not list', async () => {
    const answer = await as(tokens.fineWriter)('POST', '/repos/acme/shop/issues/1/comments', { body: 'x' });
    expect(answer.status).toBe(403);
  });

  test('a classic token without scopes cannot change anything', async () => {
    expect((await as(tokens.noScopes)('POST', '/repos/acme/shop/issues', { title: 'x' })).status).toBe(404);
  });

  test('the triage role can close and label an issue, but cannot edit the text of another user', async () => {
    const text = await as(tokens.triage)('PATCH', '/repos/acme/shop/issues/1', { title: 'Mine now' });
    expect(text.status).toBe(403);
    expect(text.body).toMatchObject({ message: 'Must have admin rights to Repository.' });
    const label = await as(tokens.triage)('PATCH', '/repos/acme/shop/issues/1', { labels: ['bug'] });
    expect(label.status).toBe(200);
    expect(github.issue('acme', 'shop', 1)).toMatchObject({
      title: 'Cart is empty after sign-in',
      labels: ['bug'],
    });
  });

  test('labels from a user without the triage role are ignored without an error', async () => {
    const answer = await as(tokens.triage)('POST', '/repos/ada/notes/issues', {
      title: 'Note',
      labels: ['bug'],
    });
    expect(answer.status).toBe(201);
    expect(github.issue('ada', 'notes', 1).labels).toEqual([]);
  });

  test('an archived repository is read-only, and comments on a locked issue require the write role', async () => {
    const archived = await as(tokens.admin)('PATCH', '/repos/acme/old/issues/1', { state: 'closed' });
    expect(archived.body).toMatchObject({ message: 'Repository was archived so is read-only.' });
    expect(
      (await as(tokens.triage)('POST', '/repos/acme/shop/issues/5/comments', { body: 'x' })).status,
    ).toBe(403);
    expect((await as(tokens.admin)('POST', '/repos/acme/shop/issues/5/comments', { body: 'x' })).status).toBe(
      201,
    );
  });
});

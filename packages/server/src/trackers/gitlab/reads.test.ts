import type { GitLabSeedIssue } from '@winnow/emulators/gitlab/seed';
import { describe, expect, test } from 'vitest';
import type { ProviderIssue } from '../provider.ts';
import { START } from '../testing/emulated-clock.ts';
import { expectFailure, readToEnd } from '../testing/provider-suite/context.ts';
import { TOKEN } from './testing/emulated-gitlab.ts';
import { backlog, itemsOf, never, readIssues, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();
const path = 'acme/team/app';

describe('a token', () => {
  test('that is unknown is refused with a message that does not repeat it', async () => {
    const gitlab = await start([]);
    const wrong = 'glpat-zyxwvutsrqponmlkjihg';
    const error = await expectFailure(gitlab.providerFor(wrong).check(never()), 'unauthorized');
    expect(error.message).toContain('did not accept this token.');
    expect(JSON.stringify([error.message, gitlab.logLines])).not.toContain(wrong);
  });

  test('that has expired is refused', async () => {
    const gitlab = await start([]);
    gitlab.emulator.setToken({ token: 'old', username: 'ada', expires_at: '2024-05-01' });
    await expectFailure(gitlab.providerFor('old').check(never()), 'unauthorized');
  });

  test.each([
    [['api'], []],
    [['read_api'], ['api (write issues)']],
    [['read_user'], ['api (read and write issues)']],
    [['api', 'read_repository'], []],
  ])('with the scopes %j lacks %j', async (scopes, missing) => {
    const gitlab = await start([]);
    gitlab.emulator.setToken({ token: 'other', username: 'bob', scopes });
    expect(await gitlab.providerFor('other').check(never())).toEqual({
      login: 'bob',
      missingPermissions: missing,
      reportsWriteAccess: true,
    });
  });

  test('without reported scopes does not count as lacking any', async () => {
    const gitlab = await start([]);
    const match = { path: '/personal_access_tokens/self' };
    gitlab.emulator.faults.add({ match, action: { kind: 'status', status: 404 } });
    expect(await gitlab.provider.check(never())).toEqual({
      login: 'ada',
      missingPermissions: [],
      reportsWriteAccess: false,
    });
  });

  test('with read access reads, and a write reports what it lacks', async () => {
    const gitlab = await start(backlog(2));
    gitlab.emulator.setToken({ token: 'reader', username: 'ada', scopes: ['read_api'] });
    const provider = gitlab.providerFor('reader');
    expect((await provider.issues(gitlab.project, null, never())).items).toHaveLength(2);
    const error = await expectFailure(provider.reopen(targetOf(gitlab, 1), never()), 'forbidden');
    expect(error.message).toContain(
      'requires a token with the scope api to access the issue acme/team/app#1.',
    );
  });

  test('revoked during a sync stops it', async () => {
    const gitlab = await start(backlog(150));
    const first = await gitlab.provider.issues(gitlab.project, null, never());
    gitlab.emulator.revokeToken(TOKEN);
    await expectFailure(gitlab.provider.issues(gitlab.project, first.cursor, never()), 'unauthorized');
  });
});

describe('organizations', () => {
  test('are the user and their groups, including each subgroup', async () => {
    const gitlab = await start([], {
      seed: { groups: [{ full_path: 'others', members: { bob: 'owner' } }] },
    });
    expect(await gitlab.provider.organizations(never())).toEqual([
      { identifier: 'ada', name: 'Ada Lovelace' },
      { identifier: 'acme', name: 'Acme' },
      { identifier: 'acme/team', name: 'Acme / Team' },
    ]);
  });

  test('list their projects on all pages, without archived ones, those without issues, and subgroups', async () => {
    const many = Array.from({ length: 130 }, (_, index) => {
      return { path_with_namespace: `acme/r${index}`, issues: [] };
    });
    const gitlab = await start([], {
      seed: {
        projects: [
          ...many,
          { path_with_namespace: 'acme/old', archived: true, issues: [] },
          { path_with_namespace: 'acme/code', issues_enabled: false, issues: [] },
          { path_with_namespace: 'ada/notes', issues: [] },
        ],
      },
    });
    const identifiers = async (organization: string) =>
      (await gitlab.provider.projects(organization, never())).map(({ identifier }) => identifier);
    const acme = await identifiers('acme');
    expect(acme).toHaveLength(130);
    expect(acme.every((identifier) => identifier.startsWith('acme/r'))).toBe(true);
    expect(await identifiers('acme/team')).toEqual([path]);
    expect(await identifiers('ADA')).toEqual(['ada/notes']);
  });
});

describe('a project', () => {
  test('that was renamed is read and written by its id and reports its new path', async () => {
    const gitlab = await start(backlog(3));
    gitlab.emulator.renameProject(path, 'application');
    expect(itemsOf(await readIssues(gitlab))).toHaveLength(3);
    const closed = await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), targetOf(gitlab, 1), never());
    expect(closed.state).toBe('closed');
    expect(await gitlab.provider.project(gitlab.project, never())).toEqual({
      ...gitlab.project,
      identifier: 'acme/team/application',
    });
  });

  test('that is gone or hidden is null, and its issues are not found', async () => {
    const gitlab = await start(backlog(2), {
      seed: {
        projects: [{ path_with_namespace: 'bob/app', members: { ada: 'reporter' }, issues: backlog(1) }],
      },
    });
    const lost = await gitlab.projectNamed('bob/app');
    gitlab.emulator.setMember('bob/app', 'ada', null);
    gitlab.emulator.deleteProject(path);
    for (const project of [lost, gitlab.project]) {
      expect(await gitlab.provider.project(project, never())).toBeNull();
      const error = await expectFailure(gitlab.provider.issues(project, null, never()), 'not_found');
      expect(error.message).toContain(`the project ${project.identifier}`);
    }
  });

  test('with merge requests turned off or hidden from guests is read without them', async () => {
    const gitlab = await start(backlog(3), { mergeRequests: backlog(2) });
    gitlab.emulator.setProject(path, { merge_requests_enabled: false });
    const pages = await readIssues(gitlab);
    expect(itemsOf(pages).map(({ issueType }) => issueType)).toEqual(['issue', 'issue', 'issue']);
    expect(pages[0]?.total).toBe(3);
    expect((await readIssues(gitlab, pages.at(-1)?.cursor ?? null)).length).toBe(1);
    gitlab.emulator.setProject(path, { merge_requests_enabled: true });
    expect(itemsOf(await readIssues(gitlab, pages.at(-1)?.cursor ?? null))).toHaveLength(2);
  });

  test('counts its issues and merge requests, unless there are too many for GitLab', async () => {
    const gitlab = await start(backlog(120), { mergeRequests: backlog(30), countLimit: 121 });
    expect(await gitlab.provider.count(gitlab.project, never())).toBe(150);
    for (let n = 0; n < 2; n += 1) gitlab.emulator.createIssue(path, { title: 'one more' });
    expect(await gitlab.provider.count(gitlab.project, never())).toBeNull();
    const pages = await readIssues(gitlab);
    expect(pages[0]?.total).toBeNull();
    expect(new Set(itemsOf(pages).map(({ externalId }) => externalId)).size).toBe(152);
  });

  test.each(['', '0x1', '../1', 'acme'])('with the id %j is never requested', async (externalId) => {
    const gitlab = await start([]);
    const project = { ...gitlab.project, externalId };
    await expectFailure(gitlab.provider.issues(project, null, never()), 'invalid');
    expect(gitlab.emulator.requests.all()).toEqual([]);
  });
});

describe('items', () => {
  test('that are merge requests become change requests with sign and state', async () => {
    const gitlab = await start(backlog(1), {
      mergeRequests: [
        { title: 'open', state: 'opened' },
        { title: 'done', state: 'merged', closed_at: '2024-04-01T00:00:00Z' },
      ],
    });
    const [, open, done] = itemsOf(await readIssues(gitlab));
    expect(open).toMatchObject({
      externalId: '!1',
      key: `${path}!1`,
      issueType: 'change_request',
      state: 'opened',
    });
    expect(done).toMatchObject({
      externalId: '!2',
      status: 'merged',
      state: 'closed',
      closedAt: new Date('2024-04-01T00:00:00Z'),
    });
    expect(await gitlab.provider.issue(targetOf(gitlab, '!2'), never())).toEqual(done);
    const reopened = await gitlab.provider.reopen(targetOf(gitlab, '!2'), never());
    expect(reopened.status).toBe('merged');
  });

  test.each<[string, Partial<GitLabSeedIssue>, Partial<ProviderIssue>]>([
    ['no description', { description: null }, { description: '' }],
    ['a description of 250 kB', { description: 'y'.repeat(250_000) }, { description: 'y'.repeat(250_000) }],
    ['only emoji', { title: '👩‍👩‍👧', description: '🏳️‍🌈🔥' }, { title: '👩‍👩‍👧', description: '🏳️‍🌈🔥' }],
    ['NUL and half a surrogate pair', { title: 'a\0b\ud83d' }, { title: 'ab' }],
    ['the type incident', { issue_type: 'incident' }, { issueType: 'incident' }],
    ['confidence', { confidential: true }, { state: 'opened' }],
    ['several assignees', { assignees: ['ada', 'bob'] }, { assignees: ['ada', 'bob'] }],
    ['labels', { labels: ['b', 'a'] }, { labels: ['a', 'b'] }],
    [
      'an end',
      { state: 'closed', closed_at: '2024-04-01T00:00:00Z' },
      { state: 'closed', status: 'closed', closedAt: new Date('2024-04-01T00:00:00Z') },
    ],
  ])('with %s are read correctly', async (_, seeded, expected) => {
    const gitlab = await start([{ title: 'odd', created_at: '2024-03-01T00:00:00Z', ...seeded }]);
    const [item] = itemsOf(await readIssues(gitlab));
    expect(item).toMatchObject(expected);
    expect(await gitlab.provider.issue(targetOf(gitlab, 1), never())).toEqual(item);
  });

  test('that were moved are reported as gone from their old project', async () => {
    const gitlab = await start(backlog(3), {
      seed: { projects: [{ path_with_namespace: 'acme/web', issues: [] }] },
    });
    const { provider, project } = gitlab;
    gitlab.emulator.moveIssueAs('ada', path, 1, 'acme/web');
    expect(await provider.issue(targetOf(gitlab, 1), never())).toBeNull();
    const gone: string[] = [];
    const list = async (cursor: string | null) => {
      const page = await provider.issues(project, cursor, never());
      gone.push(...(page.gone ?? []));
      return page;
    };
    const pages = await readToEnd(list, null);
    expect(gone).toContain('1');
    expect(itemsOf(pages).map(({ externalId }) => externalId)).toEqual(['2', '3']);
    const present = await readToEnd((cursor) => provider.externalIds(project, cursor, never()), null);
    expect(itemsOf(present)).toEqual(['2', '3']);
  });

  test('closed as duplicates name the original even in other projects, with one request', async () => {
    const gitlab = await start(backlog(3), {
      seed: { projects: [{ path_with_namespace: 'acme/web', issues: backlog(1) }] },
    });
    const web = { project: await gitlab.projectNamed('acme/web'), externalId: '1', key: 'acme/web#1' };
    await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 1), web, never());
    await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), web, never());
    await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 3), targetOf(gitlab, 2), never());
    gitlab.emulator.requests.clear();
    const fresh = gitlab.providerFor(TOKEN);
    const { items } = await fresh.issues(gitlab.project, null, never());
    expect(Object.fromEntries(items.map((item) => [item.externalId, item.duplicateOf]))).toEqual({
      1: 'acme/web#1',
      2: 'acme/web#1',
      3: 'acme/team/app#2',
    });
    const asked = gitlab.emulator.requests.matching('GET', /^\/projects\/\d+$/);
    expect(asked).toHaveLength(1);
  });

  test('with equal times, a thousand of them, are all read, and take two requests when nothing is new', async () => {
    const created_at = new Date(START.getTime() - 60_000).toISOString();
    const gitlab = await start(Array.from({ length: 1000 }, (_, n) => ({ title: `${n}`, created_at })));
    const pages = await readIssues(gitlab);
    expect(new Set(itemsOf(pages).map(({ title }) => title)).size).toBe(1000);
    expect(pages.length).toBeLessThan(16);
    gitlab.emulator.requests.clear();
    const cursor = pages.at(-1)?.cursor ?? null;
    expect(itemsOf(await readIssues(gitlab, cursor))).toEqual([]);
    expect(gitlab.emulator.requests.all()).toMatchObject([{ status: 304 }, { status: 304 }]);
    gitlab.emulator.editAs('bob', path, 500, { title: 'edited' });
    expect(itemsOf(await readIssues(gitlab, cursor)).map(({ title }) => title)).toContain('edited');
  });

  test('are recognized by a digest if a proxy drops the ETag, and nothing is read twice', async () => {
    const gitlab = await start(backlog(130), { etags: false });
    const cursor = (await readIssues(gitlab)).at(-1)?.cursor ?? null;
    gitlab.emulator.requests.clear();
    expect(await gitlab.provider.issues(gitlab.project, cursor, never())).toMatchObject({
      items: [],
      cursor,
    });
    expect(gitlab.emulator.requests.all().map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('comments', () => {
  const read = (gitlab: Awaited<ReturnType<typeof start>>, from: string | null) =>
    readToEnd((cursor) => gitlab.provider.comments(gitlab.project, cursor, never()), from);

  test('are requested only for items that have some, and later only for changed ones', async () => {
    const gitlab = await start(backlog(100), { mergeRequests: backlog(20) });
    const pages = await read(gitlab, null);
    expect(itemsOf(pages).map(({ issueExternalId }) => issueExternalId)).toContain('!11');
    expect(gitlab.emulator.requests.matching('GET', /\/notes$/)).toHaveLength(12);
    gitlab.clock.pass(60_000);
    gitlab.emulator.commentAs('bob', path, 5, 'new');
    gitlab.emulator.editAs('bob', path, 6, { title: 'edited' });
    gitlab.emulator.requests.clear();
    const later = itemsOf(await read(gitlab, pages.at(-1)?.cursor ?? null));
    expect(later).toMatchObject([{ issueExternalId: '5', body: 'new', author: 'bob' }]);
    expect(gitlab.emulator.requests.matching('GET', /\/notes$/)).toHaveLength(1);
  });

  test('by GitLab itself are omitted, by filter and by check', async () => {
    const notes = Array.from({ length: 450 }, (_, n) => ({ body: `note ${n}`, system: n % 2 === 0 }));
    const gitlab = await start([{ title: 'busy', notes, created_at: '2024-03-01T00:00:00Z' }]);
    const bodies = itemsOf(await read(gitlab, null)).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(225);
    expect(gitlab.emulator.requests.matching('GET', /\/notes$/)).toHaveLength(3);
    const at = { created_at: '2024-03-01T00:00:00Z', updated_at: '2024-03-01T00:00:00Z' };
    const body = [true, false].map((system) => ({ id: 1, body: `system: ${system}`, system, ...at }));
    gitlab.emulator.faults.add({ match: { path: '/notes' }, action: { kind: 'status', status: 200, body } });
    expect(itemsOf(await read(gitlab, null))).toMatchObject([{ body: 'system: false' }]);
  });

  test('of 250 kB are read whole', async () => {
    const body = 'ö'.repeat(125_000);
    const gitlab = await start([{ title: 'long', notes: [{ body }] }]);
    expect(itemsOf(await read(gitlab, null))).toMatchObject([{ body }]);
  });

  test('are read again after an edit', async () => {
    const gitlab = await start([
      { title: 'one', notes: [{ body: 'before' }], created_at: '2024-03-01T00:00:00Z' },
    ]);
    const cursor = (await read(gitlab, null)).at(-1)?.cursor ?? null;
    const id = gitlab.emulator.item(path, 1).comments[0]?.id;
    gitlab.clock.pass(60_000);
    const answer = await fetch(
      `${gitlab.emulator.url}/api/v4/projects/${gitlab.project.externalId}/issues/1/notes/${id}`,
      {
        method: 'PUT',
        headers: { 'private-token': TOKEN, 'content-type': 'application/json' },
        body: JSON.stringify({ body: 'after' }),
      },
    );
    expect(answer.status).toBe(200);
    expect(itemsOf(await read(gitlab, cursor))).toMatchObject([{ body: 'after' }]);
  });

  test('of an issue deleted meanwhile are omitted, and the others are read', async () => {
    const created_at = '2024-03-01T00:00:00Z';
    const one = { title: 'one', notes: [{ body: 'said' }], created_at };
    const gitlab = await start(Array.from({ length: 30 }, () => one));
    let step = 0;
    const list = (cursor: string | null) => gitlab.provider.comments(gitlab.project, cursor, never());
    const pages = await readToEnd(list, null, async () => {
      step += 1;
      if (step === 1) gitlab.emulator.deleteItem(path, 25);
    });
    const seen = itemsOf(pages).map(({ issueExternalId }) => issueExternalId);
    expect([new Set(seen).size, seen.includes('25')]).toEqual([29, false]);
  });
});

test('an address without GitLab is distinguished from a wrong token', async () => {
  const gitlab = await start([]);
  gitlab.emulator.faults.add({ action: { kind: 'status', status: 404, body: '<h1>Nothing here</h1>' } });
  const error = await expectFailure(gitlab.provider.check(never()), 'not_found');
  expect(error.message).toBe(
    `No GitLab server was found at ${gitlab.emulator.url}/api/v4. Check the address.`,
  );
});

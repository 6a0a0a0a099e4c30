import type { GitHubEmulatorOptions } from '@winnow/emulators/github/emulator';
import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { describe, expect, test } from 'vitest';
import type { ProviderIssue } from '../provider.ts';
import { START } from '../testing/emulated-clock.ts';
import { expectFailure, type ProviderContext, type TrackerUser } from '../testing/provider-suite/context.ts';
import { describeProvider } from '../testing/provider-suite.ts';
import { type EmulatedGitHub, emulatedGitHub, TOKEN } from './testing/emulated-github.ts';
import { backlog, itemsOf, never, readIssues, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();

function trackerUserOf({ emulator }: EmulatedGitHub): TrackerUser {
  const issues = () => emulator.state().repos.find((repo) => repo.full_name === 'acme/app')?.issues ?? [];
  return {
    addIssue: async (title) => String(emulator.createIssue('acme', 'app', { title, body: null }).number),
    renameIssue: async (id, title) => {
      emulator.editAs('bob', 'acme', 'app', Number(id), { title });
    },
    removeIssue: async (id) => emulator.deleteIssue('acme', 'app', Number(id)),
    addComment: async (id, body) =>
      String(emulator.commentAs('bob', 'acme', 'app', Number(id), body).comments.at(-1)?.id),
    titles: async () => new Map(issues().map((issue) => [String(issue.number), issue.title])),
    comments: async () =>
      new Map(
        issues().flatMap((issue) => issue.comments.map(({ id }) => [String(id), String(issue.number)])),
      ),
    inspect: async (id) => {
      const issue = emulator.issue('acme', 'app', Number(id));
      const isClosed = issue.state === 'closed';
      return { isClosed, duplicateOf: issue.duplicate_of, comments: issue.comments.map(({ body }) => body) };
    },
  };
}

async function contextWith(options: Omit<GitHubEmulatorOptions, 'seed' | 'clock'>): Promise<ProviderContext> {
  const github = await emulatedGitHub(backlog(250), {
    ...options,
    seed: { orgs: [{ login: 'acme', members: ['ada', 'bob'] }], users: [{ login: 'eve' }] },
  });
  return {
    provider: github.provider,
    organization: 'acme',
    project: github.project,
    otherUser: trackerUserOf(github),
    people: { assignable: ['ada', 'bob'], outsider: 'eve' },
    links: { blocks: 'blocks', duplicates: null },
    requests: () => github.emulator.requests.all().length,
    pass: github.clock.pass,
    now: github.clock.now,
    dispose: github.dispose,
  };
}

describeProvider('GitHub', () => contextWith({}));
describeProvider('GitHub Enterprise Server', () => contextWith({ enterprise: true }));

describe('a token', () => {
  test('that GitHub does not know is refused with a message that does not repeat it', async () => {
    const github = await start([]);
    const wrong = 'ghp_zyxwvutsrqponmlkjihgfedcba9876543210';
    const error = await expectFailure(github.providerFor(wrong).check(never()), 'unauthorized');
    expect(error.message).toContain('GitHub did not accept this token.');
    expect(JSON.stringify([error.message, github.logLines])).not.toContain(wrong);
  });

  test('without the scopes names them, and still lists what it reaches', async () => {
    const github = await start([]);
    github.emulator.setToken({ token: 'poor', login: 'ada', scopes: ['repo', 'gist'] });
    const provider = github.providerFor('poor');
    expect(await provider.check(never())).toEqual({
      login: 'ada',
      missingPermissions: ['read:org (list your organizations)'],
      reportsWriteAccess: true,
    });
    const organizations = await provider.organizations(never());
    expect(organizations.map(({ identifier }) => identifier)).toEqual(['ada', 'acme']);
  });

  const fineGrained = 'github_pat_11AAAAAAA0abcdefghijklmnop';
  test.each([
    ['no repository', [], ['Repository access']],
    [
      'no issues',
      [{ full_name: 'acme/app', permission: 'admin', issues: 'none' }],
      ['Issues: read and write'],
    ],
    ['read access only', [{ full_name: 'acme/app', permission: 'read' }], ['Issues: write']],
    ['everything it needs', [{ full_name: 'acme/app', permission: 'triage' }], []],
  ] as const)(
    'of the fine-grained kind with %s reports what it lacks, except write access',
    async (_, repos, missing) => {
      const github = await start(backlog(1));
      github.emulator.setToken({ token: fineGrained, login: 'ada', repos: [...repos] });
      const check = await github.providerFor(fineGrained).check(never());
      expect(check).toEqual({ login: 'ada', missingPermissions: missing, reportsWriteAccess: false });
    },
  );

  test('of the fine-grained kind is tested on a private repository, since public ones are readable for all', async () => {
    const site = { owner: 'acme', name: 'site', issues: backlog(1) };
    const github = await start(backlog(1), { seed: { repos: [site] } });
    const repos = ['acme/site', 'acme/app'].map((full_name) => {
      return { full_name, permission: 'admin' as const, issues: 'none' as const };
    });
    github.emulator.setToken({ token: fineGrained, login: 'ada', repos });
    const { missingPermissions } = await github.providerFor(fineGrained).check(never());
    expect(missingPermissions).toEqual(['Issues: read and write']);
  });

  test('of the fine-grained kind lists the owners of its repositories, as GitHub lists no organizations', async () => {
    const github = await start([]);
    const repos = [{ full_name: 'acme/app', permission: 'read' as const }];
    github.emulator.setToken({ token: fineGrained, login: 'ada', repos });
    const organizations = await github.providerFor(fineGrained).organizations(never());
    expect(organizations.map(({ identifier }) => identifier)).toEqual(['ada', 'acme']);
  });

  test('that may not write names the missing permission when a write is refused', async () => {
    const github = await start(backlog(2));
    const repos = [{ full_name: 'acme/app', permission: 'admin' as const, issues: 'read' as const }];
    github.emulator.setToken({ token: fineGrained, login: 'ada', repos });
    const closing = github
      .providerFor(fineGrained)
      .closeAsDuplicate(targetOf(github, 2), targetOf(github, 1), never());
    const error = await expectFailure(closing, 'forbidden');
    expect(error.message).toContain('it lacks Issues: write');
    expect(github.emulator.issue('acme', 'app', 2).state).toBe('open');
  });

  test('revoked during a sync stops it', async () => {
    const github = await start(backlog(150));
    const first = await github.provider.issues(github.project, null, never());
    github.emulator.revokeToken(TOKEN);
    await expectFailure(github.provider.issues(github.project, first.cursor, never()), 'unauthorized');
  });
});

describe('projects', () => {
  test('are the repositories with issues on all pages, without archived ones', async () => {
    const many = Array.from({ length: 130 }, (_, index) => ({
      owner: 'acme',
      name: `r${index}`,
      issues: [],
    }));
    const github = await start([], {
      seed: {
        repos: [
          ...many,
          { owner: 'acme', name: 'old', archived: true, issues: [] },
          { owner: 'acme', name: 'code-only', has_issues: false, issues: [] },
        ],
      },
    });
    const names = (await github.provider.projects('acme', never())).map(({ name }) => name);
    expect(names).toHaveLength(131);
    expect(names).not.toContain('old');
    expect(names).not.toContain('code-only');
  });

  test('of the user belong to the user', async () => {
    const github = await start([], { seed: { repos: [{ owner: 'ada', name: 'notes', issues: [] }] } });
    const projects = await github.provider.projects('ADA', never());
    expect(projects.map(({ identifier }) => identifier)).toEqual(['ada/notes']);
  });
});

describe('a repository', () => {
  test('without issues is one empty page', async () => {
    const github = await start([]);
    const pages = await readIssues(github);
    expect(pages).toMatchObject([{ items: [], done: true, total: 0 }]);
    github.emulator.createIssue('acme', 'app', { title: 'the first', body: null });
    expect(itemsOf(await readIssues(github, pages[0]?.cursor)).map(({ title }) => title)).toEqual([
      'the first',
    ]);
  });

  test('that does not exist is named in the message', async () => {
    const github = await start([]);
    const gone = { externalId: '1', identifier: 'acme/gone', name: 'gone' };
    const error = await expectFailure(github.provider.issues(gone, null, never()), 'not_found');
    expect(error.message).toBe(
      'GitHub could not find the repository acme/gone, or this token cannot access it.',
    );
  });

  test.each(['acme', 'acme/app/issues', 'acme/..', '../user', 'acme/app?x=1', ''])(
    'named %j is never requested',
    async (identifier) => {
      const github = await start([]);
      const project = { ...github.project, identifier };
      await expectFailure(github.provider.issues(project, null, never()), 'invalid');
      expect(github.emulator.requests.all()).toEqual([]);
    },
  );

  test('that was renamed is read and written under its old name', async () => {
    const github = await start(backlog(120));
    github.emulator.renameRepo('acme', 'app', 'application');
    const titles = itemsOf(await readIssues(github)).map(({ title }) => title);
    expect(new Set(titles).size).toBe(120);
    expect(await github.provider.issue(targetOf(github, 7), never())).toMatchObject({ key: 'acme/app#7' });
    await github.provider.closeAsDuplicate(targetOf(github, 7), targetOf(github, 3), never());
    expect(github.emulator.issue('acme', 'application', 7)).toMatchObject({
      state_reason: 'duplicate',
      duplicate_of: 'acme/application#3',
    });
  });

  test('lists its pull requests as change requests', async () => {
    const github = await start([
      { title: 'issue', body: null },
      { title: 'pull', body: null, pull_request: true },
    ]);
    const types = itemsOf(await readIssues(github)).map(({ title, issueType }) => [title, issueType]);
    expect(Object.fromEntries(types)).toEqual({ issue: 'issue', pull: 'change_request' });
  });
});

test('a pull request merged since is merged, not just closed', async () => {
  const pull = { body: null, pull_request: true };
  const github = await start([
    { title: 'merged', ...pull },
    { title: 'closed', ...pull },
  ]);
  const cursor = (await readIssues(github)).at(-1)?.cursor ?? null;
  github.clock.pass(60_000);
  github.emulator.editAs('ada', 'acme', 'app', 1, { state: 'closed', merged: true });
  github.emulator.editAs('ada', 'acme', 'app', 2, { state: 'closed' });
  const items = itemsOf(await readIssues(github, cursor));
  expect(Object.fromEntries(items.map(({ title, status, state }) => [title, [status, state]]))).toEqual({
    merged: ['merged', 'closed'],
    closed: ['closed', 'closed'],
  });
});

describe('unusual issues', () => {
  test.each<[string, Partial<GitHubSeedIssue>, Partial<ProviderIssue>]>([
    ['an empty body', { body: null }, { description: '' }],
    ['a body of a megabyte', { body: 'y'.repeat(1_000_000) }, { description: 'y'.repeat(1_000_000) }],
    ['only emoji', { title: '👩‍👩‍👧', body: '🏳️‍🌈🔥' }, { title: '👩‍👩‍👧', description: '🏳️‍🌈🔥' }],
    ['right-to-left text', { body: 'شكرا \u202bمرحبا\u202c' }, { description: 'شكرا \u202bمرحبا\u202c' }],
    [
      'HTML in the title',
      { title: '<img src=x onerror=alert(1)>' },
      { title: '<img src=x onerror=alert(1)>' },
    ],
    [
      'NUL and half a surrogate pair',
      { title: 'a\0b\ud83d', body: '\udc00c' },
      { title: 'ab', description: 'c' },
    ],
    [
      '10 000 labels',
      { labels: Array.from({ length: 10_000 }, (_, index) => `label ${index}`) },
      { labels: Array.from({ length: 10_000 }, (_, index) => `label ${index}`) },
    ],
  ])('with %s are read correctly', async (_, seeded, expected) => {
    const github = await start([{ title: 'odd', body: 'text', ...seeded }]);
    const [item] = itemsOf(await readIssues(github));
    expect(item).toMatchObject(expected);
    expect(await github.provider.issue(targetOf(github, 1), never())).toEqual(item);
  });
});

describe('a thousand issues of the same second', () => {
  test('are all read, and take one request when nothing is new', async () => {
    const at = new Date(START.getTime() - 60_000).toISOString();
    const github = await start(
      Array.from({ length: 1000 }, (_, index) => ({ title: `${index}`, body: null, created_at: at })),
    );
    const pages = await readIssues(github);
    expect(new Set(itemsOf(pages).map(({ title }) => title)).size).toBe(1000);
    expect(pages.length).toBeLessThan(14);
    github.emulator.requests.clear();
    const cursor = pages.at(-1)?.cursor ?? null;
    expect(itemsOf(await readIssues(github, cursor))).toEqual([]);
    expect(github.emulator.requests.all()).toMatchObject([{ status: 304 }]);

    github.emulator.editAs('bob', 'acme', 'app', 500, { title: 'edited' });
    expect(itemsOf(await readIssues(github, cursor)).map(({ title }) => title)).toContain('edited');
  });
});

describe('a sync without changes', () => {
  test('sends the ETag, gets 304, and spends nothing of the rate limit', async () => {
    const github = await start(backlog(130));
    const cursor = (await readIssues(github)).at(-1)?.cursor ?? null;
    github.emulator.requests.clear();
    for (let times = 0; times < 3; times += 1) await readIssues(github, cursor);
    const requests = github.emulator.requests.all();
    expect(requests.map(({ status }) => status)).toEqual([304, 304, 304]);
    expect(requests[0]?.headers['if-none-match']).toMatch(/^W\/"/);
  });
});

describe('closing as a duplicate', () => {
  test('names an original in another repository by its database id', async () => {
    const github = await start(backlog(1), {
      seed: {
        repos: [{ owner: 'acme', name: 'web', issues: [{ number: 9, title: 'original', body: null }] }],
      },
    });
    const project = { externalId: '0', identifier: 'acme/web', name: 'web' };
    const original = { project, externalId: '9', key: 'acme/web#9' };
    await github.provider.closeAsDuplicate(targetOf(github, 1), original, never());
    expect(github.emulator.issue('acme', 'app', 1)).toMatchObject({
      state: 'closed',
      state_reason: 'duplicate',
      duplicate_of: 'acme/web#9',
    });
  });

  test('uses “not planned” on a host without duplicates', async () => {
    const github = await start(backlog(2), { enterprise: true, duplicateReason: false });
    const closed = await github.provider.closeAsDuplicate(targetOf(github, 2), targetOf(github, 1), never());
    expect(closed.state).toBe('closed');
    expect(github.emulator.issue('acme', 'app', 2)).toMatchObject({
      state: 'closed',
      state_reason: 'not_planned',
    });
  });

  test('uses “not planned” without an original if that is in another tracker', async () => {
    const github = await start(backlog(1));
    const closed = await github.provider.close(targetOf(github, 1), 'not_planned', never());
    expect(closed.state).toBe('closed');
    expect(github.emulator.issue('acme', 'app', 1)).toMatchObject({
      state: 'closed',
      state_reason: 'not_planned',
      duplicate_of: null,
    });
  });

  test('is not retried differently if GitHub refuses for another reason', async () => {
    const github = await start(backlog(2));
    const body = JSON.stringify({
      message: 'Validation Failed',
      errors: [{ field: 'assignees', code: 'invalid' }],
    });
    github.emulator.faults.add({ match: { method: 'PATCH' }, action: { kind: 'status', status: 422, body } });
    const closing = github.provider.closeAsDuplicate(targetOf(github, 2), targetOf(github, 1), never());
    await expectFailure(closing, 'invalid');
    expect(github.emulator.issue('acme', 'app', 2).state).toBe('open');
  });

  test('leaves the issue open if the original is gone', async () => {
    const github = await start(backlog(2));
    github.emulator.deleteIssue('acme', 'app', 1);
    const closing = github.provider.closeAsDuplicate(targetOf(github, 2), targetOf(github, 1), never());
    expect((await expectFailure(closing, 'not_found')).message).toContain('acme/app#1');
    expect(github.emulator.issue('acme', 'app', 2).state).toBe('open');
  });
});

test('an Enterprise Server is called below /api/v3 and named by its host', async () => {
  const github = await start(backlog(1), { enterprise: true });
  await readIssues(github);
  expect(github.emulator.requests.all().every(({ url }) => url.startsWith('/api/v3/'))).toBe(true);
  const error = await expectFailure(github.providerFor('wrong').check(never()), 'unauthorized');
  expect(error.message).toContain(`GitHub at 127.0.0.1:${github.emulator.port}`);
});

test('an address without GitHub is distinguished from a wrong token', async () => {
  const github = await start([], { enterprise: true });
  github.emulator.faults.add({ action: { kind: 'status', status: 404, body: '<h1>Nothing here</h1>' } });
  const error = await expectFailure(github.provider.check(never()), 'not_found');
  expect(error.message).toBe(
    `No GitHub server was found at ${github.emulator.url}/api/v3. Check the address.`,
  );
});

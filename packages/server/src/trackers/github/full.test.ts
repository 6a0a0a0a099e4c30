import { describe, expect, test } from 'vitest';
import { expectFailure } from '../provider-suite.ts';
import type { EmulatedGitHub } from './testing/emulated-github.ts';
import { backlog, never, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();

function presentOf({ provider, project }: EmulatedGitHub) {
  return async () => {
    const ids: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await provider.presentIds(project, cursor, never());
      ids.push(...page.items);
      if (page.done) return ids;
      cursor = page.cursor;
    }
  };
}

describe('what is there', () => {
  test('is counted with one request, and listed by number', async () => {
    const github = await start(backlog(230));
    const present = presentOf(github);
    expect(await github.provider.count(github.project, never())).toBe(230);
    expect(github.emulator.requests.all()).toHaveLength(1);
    expect(await present()).toEqual(Array.from({ length: 230 }, (_, index) => String(index + 1)));
    github.emulator.deleteIssue('acme', 'app', 17);
    expect(await github.provider.count(github.project, never())).toBe(229);
    expect(await present()).not.toContain('17');
  });

  test.each([0, 1])('is %i when there are so many', async (count) => {
    const github = await start(backlog(count));
    expect(await github.provider.count(github.project, never())).toBe(count);
    expect(await presentOf(github)()).toHaveLength(count);
  });

  test('a renamed project is found under its new name, one whose name another has is gone', async () => {
    const github = await start([]);
    const { provider, project, emulator } = github;
    expect(await provider.project(project, never())).toEqual(project);
    emulator.renameRepo('acme', 'app', 'application');
    expect(await provider.project(project, never())).toEqual({
      ...project,
      identifier: 'acme/application',
      name: 'application',
    });
    const other = { externalId: '1', identifier: 'acme/application', name: 'application' };
    expect(await provider.project(other, never())).toBeNull();
    const unknown = { externalId: '1', identifier: 'acme/nothing', name: 'nothing' };
    expect(await provider.project(unknown, never())).toBeNull();
  });
});

describe('people', () => {
  test('who can be assigned are found by the beginning of their login', async () => {
    const { provider, project } = await start([], {
      seed: { orgs: [{ login: 'acme', members: ['Alan', 'ada', 'bob'] }] },
    });
    const logins = async (query: string) =>
      (await provider.assignableUsers(project, query, never())).map(({ login }) => login);
    expect(await logins('')).toEqual(['ada', 'Alan', 'bob'].filter((login) => login !== ''));
    expect(await logins('al')).toEqual(['Alan']);
    expect(await logins('x')).toEqual([]);
  });

  test('are assigned, all of them and no others; one who cannot be is named and nothing is written', async () => {
    const github = await start([{ title: 'one', body: null, assignees: ['bob'] }], {
      seed: { orgs: [{ login: 'acme', members: ['ada', 'alan', 'bob'] }], users: [{ login: 'eve' }] },
    });
    const target = targetOf(github, 1);
    const issue = await github.provider.assign(target, ['ada', 'alan'], never());
    expect(issue.assignees.toSorted()).toEqual(['ada', 'alan']);
    const error = await expectFailure(github.provider.assign(target, ['bob', 'eve'], never()), 'invalid');
    expect(error.message).toContain('eve');
    expect(github.emulator.issue('acme', 'app', 1).assignees).toEqual(['ada', 'alan']);
    expect((await github.provider.assign(target, [], never())).assignees).toEqual([]);
  });
});

describe('writing', () => {
  test('replaces the title, the text or both, and nothing else', async () => {
    const github = await start([{ title: 'one', body: 'text', labels: ['bug'] }]);
    const target = targetOf(github, 1);
    expect(await github.provider.edit(target, { title: 'two' }, never())).toMatchObject({
      title: 'two',
      description: 'text',
    });
    const markdown = '# A\n\n* b\r\n<b>c</b> 👩‍👩‍👧';
    expect(await github.provider.edit(target, { description: markdown }, never())).toMatchObject({
      title: 'two',
      description: markdown,
      labels: ['bug'],
    });
    expect((await github.provider.edit(target, { title: '3', description: '' }, never())).description).toBe(
      '',
    );
  });

  test('adds and removes labels and leaves those of others, also when it is done twice', async () => {
    const github = await start([{ title: 'one', body: null, labels: ['bug', 'needs info'] }]);
    const target = targetOf(github, 1);
    for (let times = 0; times < 2; times += 1) {
      const change = { add: ['ready', 'a/b'], remove: ['needs info', 'never there'] };
      const issue = await github.provider.changeLabels(target, change, never());
      expect(issue.labels.toSorted()).toEqual(['a/b', 'bug', 'ready']);
    }
    const gone = targetOf(github, 99);
    await expectFailure(github.provider.changeLabels(gone, { add: [], remove: ['x'] }, never()), 'not_found');
  });

  test('makes an issue that is found by its marker after a lost answer', async () => {
    const github = await start(backlog(3));
    const before = github.clock.now();
    const draft = { title: 'new', description: 'Text.', labels: ['bug'], assignees: ['ada'] };
    const made = await github.provider.create(github.project, draft, 'step-1', never());
    expect(made).toMatchObject({ externalId: '4', title: 'new', labels: ['bug'], assignees: ['ada'] });
    expect(made.description).toMatch(/^Text\.\n\n<!-- .*step-1 -->$/);
    const find = (marker: string) => github.provider.findCreated(github.project, marker, before, never());
    expect(await find('step-1')).toEqual(made);
    expect(await find('step-2')).toBeNull();
  });

  test('links what blocks what, across repositories and more than once, and takes it back', async () => {
    const github = await start(backlog(2), {
      seed: { repos: [{ owner: 'acme', name: 'web', issues: backlog(1) }] },
    });
    const { provider, emulator } = github;
    const [first, second] = [targetOf(github, 1), targetOf(github, 2)];
    const projects = await provider.projects('acme', never());
    const web = projects.find(({ name }) => name === 'web') ?? github.project;
    const elsewhere = { project: web, externalId: '1', key: 'acme/web#1' };
    for (let times = 0; times < 2; times += 1) {
      await provider.link(first, 'blocks', second, never());
      await provider.link(elsewhere, 'blocks', second, never());
    }
    expect(emulator.issue('acme', 'app', 2).blocked_by).toEqual(['acme/app#1', 'acme/web#1']);
    expect(await provider.links(second, never())).toEqual([
      { kind: 'blocked_by', key: 'acme/app#1' },
      { kind: 'blocked_by', key: 'acme/web#1' },
    ]);
    expect(await provider.links(first, never())).toEqual([{ kind: 'blocks', key: 'acme/app#2' }]);
    for (let times = 0; times < 2; times += 1) await provider.unlink(first, 'blocks', second, never());
    expect(await provider.links(first, never())).toEqual([]);
    await expectFailure(provider.link(first, 'blocks', targetOf(github, 9), never()), 'not_found');
    await expectFailure(provider.link(first, 'duplicates', second, never()), 'unsupported');
  });

  test('says where a host keeps no dependencies, and lists none', async () => {
    const github = await start(backlog(2), { enterprise: true, dependencies: false });
    const [first, second] = [targetOf(github, 1), targetOf(github, 2)];
    expect(await github.provider.links(first, never())).toEqual([]);
    await expectFailure(github.provider.link(first, 'blocks', second, never()), 'unsupported');
    await expectFailure(github.provider.links(targetOf(github, 9), never()), 'not_found');
  });
});

describe('webhooks', () => {
  const hook = { url: 'http://127.0.0.1:9/api/v1/webhooks/x', secret: 'one secret' };

  test('are registered once for an address, and taken away once', async () => {
    const { provider, project } = await start([]);
    const id = await provider.webhooks?.register(project, hook, never());
    expect(await provider.webhooks?.register(project, { ...hook, secret: 'another' }, never())).toBe(id);
    await provider.webhooks?.remove(project, id ?? '', never());
    await provider.webhooks?.remove(project, id ?? '', never());
    expect(await provider.webhooks?.register(project, hook, never())).not.toBe(id);
  });

  test('are refused in a sentence to a token that may not', async () => {
    const github = await start([]);
    const token = 'github_pat_11AAAAAAA0abcdefghijklmnop';
    github.emulator.setToken({
      token,
      login: 'ada',
      repos: [{ full_name: 'acme/app', permission: 'write' }],
    });
    const { webhooks } = github.providerFor(token);
    const registering = webhooks?.register(github.project, hook, never()) ?? Promise.resolve();
    expect((await expectFailure(registering, 'forbidden')).message).toContain(
      'the webhooks of the repository',
    );
  });
});

import { describe, expect, test } from 'vitest';
import { expectFailure } from '../testing/provider-suite/context.ts';
import { backlog, never, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();

describe('counting and finding', () => {
  test.each([0, 1])('counts exactly %i issues', async (count) => {
    const github = await start(backlog(count));
    expect(await github.provider.count(github.project, never())).toBe(count);
    const page = await github.provider.externalIds(github.project, null, never());
    expect(page).toMatchObject({ items: Array.from({ length: count }, () => '1'), done: true });
  });

  test('a renamed project is found under its new name, and one whose name was taken is gone', async () => {
    const github = await start([]);
    const { provider, project, emulator } = github;
    emulator.renameRepo('acme', 'app', 'application');
    expect(await provider.project(project, never())).toEqual({
      ...project,
      identifier: 'acme/application',
      name: 'application',
    });
    const other = { externalId: '1', identifier: 'acme/application', name: 'application' };
    expect(await provider.project(other, never())).toBeNull();
  });
});

describe('writing', () => {
  test('leaves Markdown, emoji and HTML unchanged', async () => {
    const github = await start([{ title: 'one', body: 'text' }]);
    const description = '# A\n\n* b\r\n<b>c</b> 👩‍👩‍👧';
    const edited = await github.provider.edit(targetOf(github, 1), { description }, never());
    expect(edited.description).toBe(description);
  });

  test('accepts labels with spaces and slashes', async () => {
    const github = await start([{ title: 'one', body: null, labels: ['bug', 'needs info'] }]);
    const change = { add: ['a/b'], remove: ['needs info', 'never there'] };
    const issue = await github.provider.changeLabels(targetOf(github, 1), change, never());
    expect(issue.labels.toSorted()).toEqual(['a/b', 'bug']);
  });

  test('assigns no one if one of several cannot be assigned', async () => {
    const github = await start([{ title: 'one', body: null, assignees: ['bob'] }], {
      seed: { orgs: [{ login: 'acme', members: ['ada', 'bob'] }], users: [{ login: 'eve' }] },
    });
    const assigning = github.provider.assign(targetOf(github, 1), ['ada', 'eve'], never());
    expect((await expectFailure(assigning, 'invalid')).message).toContain('eve');
    expect(github.emulator.issue('acme', 'app', 1).assignees).toEqual(['bob']);
  });

  test('links blocking issues across repositories', async () => {
    const github = await start(backlog(2), {
      seed: { repos: [{ owner: 'acme', name: 'web', issues: backlog(1) }] },
    });
    const { provider, emulator } = github;
    const [first, second] = [targetOf(github, 1), targetOf(github, 2)];
    const projects = await provider.projects('acme', never());
    const web = projects.find(({ name }) => name === 'web') ?? github.project;
    const elsewhere = { project: web, externalId: '1', key: 'acme/web#1' };
    await provider.link(first, 'blocks', second, never());
    await provider.link(elsewhere, 'blocks', second, never());
    expect(emulator.issue('acme', 'app', 2).blocked_by).toEqual(['acme/app#1', 'acme/web#1']);
    expect(await provider.links(second, never())).toEqual([
      { kind: 'blocked_by', key: 'acme/app#1' },
      { kind: 'blocked_by', key: 'acme/web#1' },
    ]);
  });

  test('reports a host without dependencies, and lists no links', async () => {
    const github = await start(backlog(2), { enterprise: true, dependencies: false });
    const [first, second] = [targetOf(github, 1), targetOf(github, 2)];
    expect(await github.provider.links(first, never())).toEqual([]);
    await expectFailure(github.provider.link(first, 'blocks', second, never()), 'unsupported');
    await expectFailure(github.provider.links(targetOf(github, 9), never()), 'not_found');
  });
});

describe('webhooks', () => {
  const hook = { url: 'http://127.0.0.1:9/api/v1/webhooks/x', secret: 'one secret' };

  test('are registered once per URL and removed once', async () => {
    const { provider, project } = await start([]);
    const id = await provider.webhooks?.register(project, hook, never());
    expect(await provider.webhooks?.register(project, { ...hook, secret: 'another' }, never())).toBe(id);
    await provider.webhooks?.remove(project, id ?? '', never());
    await provider.webhooks?.remove(project, id ?? '', never());
    expect(await provider.webhooks?.register(project, hook, never())).not.toBe(id);
  });

  test('are refused with an explanation to a token without permission', async () => {
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

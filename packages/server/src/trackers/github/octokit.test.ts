import { Octokit } from '@octokit/rest';
import { describe, expect, test } from 'vitest';
import type { IssueTarget } from '../provider.ts';
import {
  expectWritesShown,
  type ProviderTarget,
  type ThirdPartyClient,
  watchChanges,
} from '../testing/client-run.ts';
import { type EmulatedGitHub, TOKEN } from './testing/emulated-github.ts';
import { backlog, never, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();
const repo = { owner: 'acme', repo: 'app' };

function octokitFor({ emulator }: EmulatedGitHub): Octokit {
  return new Octokit({ baseUrl: emulator.apiUrl, auth: TOKEN });
}

const enterprise = [
  ['github.com', false],
  ['an Enterprise Server', true],
] as const;

describe.each(enterprise)('Octokit at %s', (_, enterprise) => {
  test('pages through a backlog and finds each issue and comment once', async () => {
    const github = await start(backlog(250), { enterprise });
    const octokit = octokitFor(github);
    const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
      ...repo,
      state: 'all',
      per_page: 30,
    });
    expect(issues.map(({ number }) => number)).toEqual(
      Array.from({ length: 250 }, (_, index) => 250 - index),
    );
    const comments = await octokit.paginate(octokit.rest.issues.listCommentsForRepo, {
      ...repo,
      per_page: 10,
    });
    expect(new Set(comments.map(({ body }) => body)).size).toBe(25);
    expect(comments).toHaveLength(25);
  });

  test('adds sub-issues, for which the provider returns the parent', async () => {
    const github = await start(backlog(3), { enterprise });
    const octokit = octokitFor(github);
    const parent = { ...repo, issue_number: 1 };
    const idOf = async (issue_number: number) =>
      (await octokit.rest.issues.get({ ...repo, issue_number })).data.id;
    const parentKey = async (number: number) =>
      (await github.provider.issue(targetOf(github, number), never()))?.parentKey;
    for (const number of [2, 3]) {
      await octokit.rest.issues.addSubIssue({ ...parent, sub_issue_id: await idOf(number) });
    }
    await octokit.rest.issues.update({ ...repo, issue_number: 2, state: 'closed' });
    const below = (await octokit.rest.issues.listSubIssues(parent)).data;
    expect(below.map(({ number }) => number)).toEqual([2, 3]);
    expect((await octokit.rest.issues.getParent({ ...repo, issue_number: 2 })).data.number).toBe(1);
    expect((await octokit.rest.issues.get(parent)).data.sub_issues_summary).toEqual({
      total: 2,
      completed: 1,
      percent_completed: 50,
    });
    expect(await Promise.all([1, 2, 3].map(parentKey))).toEqual([null, 'acme/app#1', 'acme/app#1']);
    await octokit.rest.issues.removeSubIssue({ ...parent, sub_issue_id: await idOf(2) });
    expect(await Promise.all([2, 3].map(parentKey))).toEqual([null, 'acme/app#1']);
    await expect(octokit.rest.issues.getParent({ ...repo, issue_number: 2 })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('reads what the provider writes', async () => {
    const github = await start(backlog(4), {
      enterprise,
      seed: { orgs: [{ login: 'acme', members: ['ada', 'bob'] }] },
    });
    const octokit = octokitFor(github);
    const of = ({ externalId }: IssueTarget) => ({ ...repo, issue_number: Number(externalId) });
    const side: ProviderTarget = {
      ...github,
      targets: [targetOf(github, 1), targetOf(github, 2), targetOf(github, 3)],
      self: 'ada',
      assignees: ['ada', 'bob'],
    };
    const client: ThirdPartyClient = {
      async issue(target) {
        const { data } = await octokit.rest.issues.get(of(target));
        return {
          title: data.title,
          text: data.body ?? null,
          isOpen: data.state === 'open',
          labels: data.labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))),
          assignees: data.assignees?.map(({ login }) => login) ?? [],
          author: data.user?.login ?? null,
        };
      },
      async comments(target) {
        const { data } = await octokit.rest.issues.listComments(of(target));
        return data.map(({ id, body }) => ({ id: String(id), text: body ?? '' }));
      },
      async blockers(target) {
        const { data } = await octokit.rest.issues.listDependenciesBlockedBy(of(target));
        return data.map(({ number }) => targetOf(github, number).key);
      },
    };
    await expectWritesShown(side, client, async () => {
      const { data } = await octokit.rest.issues.get({ ...repo, issue_number: 2 });
      expect(data.state_reason).toBe('duplicate');
    });
  });

  test('writes what the provider reads', async () => {
    const github = await start(backlog(3), {
      enterprise,
      seed: { orgs: [{ login: 'acme', members: ['ada', 'bob'] }] },
    });
    const octokit = octokitFor(github);
    const changes = await watchChanges(github);
    github.clock.pass(60_000);

    const { data: made } = await octokit.rest.issues.create({
      ...repo,
      title: 'from Octokit',
      body: 'Text.',
      labels: ['bug'],
      assignees: ['bob'],
    });
    await octokit.rest.issues.update({ ...repo, issue_number: 1, title: 'edited', body: '' });
    const { data: original } = await octokit.rest.issues.get({ ...repo, issue_number: 1 });
    await octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
      ...repo,
      issue_number: 2,
      state: 'closed',
      state_reason: 'duplicate',
      duplicate_issue_id: original.id,
    });
    const { data: comment } = await octokit.rest.issues.createComment({
      ...repo,
      issue_number: 1,
      body: 'said by Octokit',
    });
    await octokit.rest.issues.addBlockedByDependency({ ...repo, issue_number: 3, issue_id: original.id });

    const items = await changes.issues();
    expect(items).toContainEqual(
      expect.objectContaining({
        externalId: String(made.number),
        title: 'from Octokit',
        description: 'Text.',
        labels: ['bug'],
        assignees: ['bob'],
        author: 'ada',
      }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ externalId: '1', title: 'edited', description: '' }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ externalId: '2', state: 'closed', isDuplicate: true }),
    );
    expect(await changes.comments()).toContainEqual(
      expect.objectContaining({
        externalId: String(comment.id),
        issueExternalId: '1',
        body: 'said by Octokit',
      }),
    );
    expect(await github.provider.links(targetOf(github, 3), never())).toEqual([
      { kind: 'blocked_by', key: 'acme/app#1' },
    ]);
  });
});

import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test } from 'vitest';
import type { IssueTarget } from '../provider.ts';
import {
  expectWritesShown,
  type ProviderTarget,
  type ThirdPartyClient,
  watchChanges,
} from '../testing/client-run.ts';
import { type EmulatedGitLab, TOKEN } from './testing/emulated-gitlab.ts';
import { backlog, never, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();
const path = 'acme/team/app';

function gitbeakerFor({ emulator }: EmulatedGitLab) {
  return new Gitlab({ host: emulator.url, token: TOKEN });
}

describe('Gitbeaker', () => {
  test('pages through a backlog and finds each issue, merge request and comment once', async () => {
    const gitlab = await start(backlog(250), { mergeRequests: backlog(120, 'merge request') });
    const gitbeaker = gitbeakerFor(gitlab);
    const downFrom = (count: number) => Array.from({ length: count }, (_, index) => count - index);
    const issues = await gitbeaker.Issues.all({ projectId: path, perPage: 30 });
    expect(issues.map(({ iid }) => iid)).toEqual(downFrom(250));
    const requests = await gitbeaker.MergeRequests.all({ projectId: path, perPage: 30 });
    expect(requests.map(({ iid }) => iid)).toEqual(downFrom(120));
    for (let count = 0; count < 45; count += 1) gitlab.emulator.commentAs('bob', path, 2, `said ${count}`);
    const notes = await gitbeaker.IssueNotes.all(path, 2, { perPage: 20, sort: 'asc' });
    expect(notes.map(({ body }) => body)).toEqual(Array.from({ length: 45 }, (_, count) => `said ${count}`));
  });

  test('reads what the provider writes', async () => {
    const gitlab = await start(backlog(4));
    const gitbeaker = gitbeakerFor(gitlab);
    const iidOf = ({ externalId }: IssueTarget) => Number(externalId);
    const side: ProviderTarget = {
      ...gitlab,
      targets: [targetOf(gitlab, 1), targetOf(gitlab, 2), targetOf(gitlab, 3)],
      self: 'ada',
      assignees: ['ada', 'bob'],
    };
    const linksOf = (iid: number, type: string) =>
      gitbeaker.IssueLinks.all(path, iid).then((links) =>
        links.filter(({ link_type }) => link_type === type).map((link) => targetOf(gitlab, link.iid).key),
      );
    const client: ThirdPartyClient = {
      async issue(target) {
        const issue = await gitbeaker.Issues.show(iidOf(target), { projectId: path });
        return {
          title: issue.title,
          text: issue.description,
          isOpen: issue.state === 'opened',
          labels: issue.labels.map(String),
          assignees: issue.assignees?.map(({ username }) => username) ?? [],
          author: issue.author.username,
        };
      },
      async comments(target) {
        const notes = await gitbeaker.IssueNotes.all(path, iidOf(target));
        return notes.flatMap(({ id, body, system }) => (system ? [] : [{ id: String(id), text: body }]));
      },
      blockers: (target) => linksOf(iidOf(target), 'is_blocked_by'),
    };
    await expectWritesShown(side, client, async () => {
      expect(await linksOf(2, 'relates_to')).toEqual([`${path}#1`]);
    });
  });

  test('writes what the provider reads', async () => {
    const gitlab = await start(backlog(3));
    const gitbeaker = gitbeakerFor(gitlab);
    const changes = await watchChanges(gitlab);
    gitlab.clock.pass(60_000);

    const members = await gitbeaker.ProjectMembers.all(path, { includeInherited: true });
    const bob = members.find(({ username }) => username === 'bob');
    const made = await gitbeaker.Issues.create(path, 'from Gitbeaker', {
      description: 'Text.',
      labels: 'bug,odd name',
      assigneeIds: [bob?.id ?? 0],
    });
    await gitbeaker.Issues.edit(path, 1, { title: 'edited', description: '', addLabels: 'new' });
    await gitbeaker.IssueNotes.create(path, 2, '/duplicate #1');
    const comment = await gitbeaker.IssueNotes.create(path, 1, 'said by Gitbeaker');
    await gitbeaker.Issues.edit(path, 3, { stateEvent: 'close' });
    await gitbeaker.IssueLinks.create(path, 3, path, 1, { linkType: 'is_blocked_by' });

    const items = await changes.issues();
    expect(items).toContainEqual(
      expect.objectContaining({
        externalId: String(made.iid),
        title: 'from Gitbeaker',
        description: 'Text.',
        labels: ['bug', 'odd name'],
        assignees: ['bob'],
        author: 'ada',
      }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ externalId: '1', title: 'edited', description: '', labels: ['new'] }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ externalId: '2', state: 'closed', duplicateOf: `${path}#1` }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ externalId: '3', state: 'closed', isDuplicate: false }),
    );
    expect(await changes.comments()).toContainEqual(
      expect.objectContaining({
        externalId: String(comment.id),
        issueExternalId: '1',
        body: 'said by Gitbeaker',
      }),
    );
    expect(await gitlab.provider.links(targetOf(gitlab, 3), never())).toEqual([
      { kind: 'blocked_by', key: `${path}#1` },
    ]);
  });
});

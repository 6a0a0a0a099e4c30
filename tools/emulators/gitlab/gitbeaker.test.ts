import { Gitlab } from '@gitbeaker/rest';
import { describe, expect, test } from 'vitest';
import {
  type EmulatedGitLab,
  TOKEN,
} from '../../../packages/server/src/trackers/gitlab/testing/emulated-gitlab.ts';
import {
  backlog,
  itemsOf,
  never,
  readIssues,
  startPerTest,
  targetOf,
} from '../../../packages/server/src/trackers/gitlab/testing/per-test.ts';
import { readToEnd } from '../../../packages/server/src/trackers/provider-suite/context.ts';

const start = startPerTest();
const path = 'acme/team/app';

function gitbeakerFor({ emulator }: EmulatedGitLab) {
  return new Gitlab({ host: emulator.url, token: TOKEN });
}

describe('Gitbeaker', () => {
  test('pages through a backlog and sees each issue, merge request and comment once', async () => {
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

  test('sees what the provider writes', async () => {
    const gitlab = await start(backlog(4));
    const { provider, project } = gitlab;
    const gitbeaker = gitbeakerFor(gitlab);
    const [first, second, third] = [targetOf(gitlab, 1), targetOf(gitlab, 2), targetOf(gitlab, 3)];
    const issue = (iid: number) => gitbeaker.Issues.show(iid, { projectId: path });
    const comments = async (iid: number) =>
      (await gitbeaker.IssueNotes.all(path, iid)).filter(({ system }) => !system);
    const links = async (iid: number) =>
      (await gitbeaker.IssueLinks.all(path, iid)).map((link) => [link.iid, link.link_type]);

    await provider.edit(first, { title: 'rewritten', description: '# Text\n\n* point' }, never());
    await provider.changeLabels(first, { add: ['ready', 'a/b'], remove: [] }, never());
    await provider.assign(first, ['ada', 'bob'], never());
    const written = await issue(1);
    expect(written).toMatchObject({ title: 'rewritten', description: '# Text\n\n* point', state: 'opened' });
    expect(written.labels).toEqual(['a/b', 'ready']);
    expect(written.assignees?.map(({ username }) => username)).toEqual(['ada', 'bob']);

    const commentId = await provider.comment(second, 'Closed as a duplicate.', 'step-1', never());
    await provider.closeAsDuplicate(second, first, never());
    const closed = await issue(2);
    expect(closed).toMatchObject({ state: 'closed', closed_by: { username: 'ada' } });
    expect(await links(2)).toEqual([[1, 'relates_to']]);
    expect(await comments(2)).toMatchObject([
      { id: Number(commentId), body: expect.stringMatching(/^Closed as a duplicate\./) },
    ]);
    await provider.reopen(second, never());
    await provider.deleteComment(second, commentId, never());
    expect(await issue(2)).toMatchObject({ state: 'opened', user_notes_count: 0 });
    expect(await comments(2)).toEqual([]);

    await provider.link(first, 'blocks', third, never());
    expect(await links(3)).toEqual([[1, 'is_blocked_by']]);
    await provider.unlink(first, 'blocks', third, never());
    expect(await links(3)).toEqual([]);

    const draft = { title: 'made', description: 'Text.', labels: ['bug'], assignees: ['ada'] };
    const made = await provider.create(project, draft, 'step-2', never());
    expect(await issue(Number(made.externalId))).toMatchObject({
      title: 'made',
      description: made.description,
      labels: ['bug'],
      author: { username: 'ada' },
      web_url: made.url,
    });
  });

  test('writes what the provider then reads', async () => {
    const gitlab = await start(backlog(3));
    const { provider, project } = gitlab;
    const gitbeaker = gitbeakerFor(gitlab);
    const cursor = (await readIssues(gitlab)).at(-1)?.cursor ?? null;
    const readComments = (from: string | null) =>
      readToEnd((at) => provider.comments(project, at, never()), from);
    const commentCursor = (await readComments(null)).at(-1)?.cursor ?? null;
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

    const items = itemsOf(await readIssues(gitlab, cursor));
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
    expect(itemsOf(await readComments(commentCursor))).toContainEqual(
      expect.objectContaining({
        externalId: String(comment.id),
        issueExternalId: '1',
        body: 'said by Gitbeaker',
      }),
    );
    expect(await provider.links(targetOf(gitlab, 3), never())).toEqual([
      { kind: 'blocked_by', key: `${path}#1` },
    ]);
  });
});

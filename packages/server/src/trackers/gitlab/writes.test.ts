import { describe, expect, test } from 'vitest';
import { START } from '../testing/emulated-clock.ts';
import { expectFailure } from '../testing/provider-suite/context.ts';
import { backlog, never, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();
const path = 'acme/team/app';

/** Starts a GitLab with a second project, in which the token's owner has this role. */
async function withWeb(role: 'guest' | 'reporter', options: Parameters<typeof start>[1] = {}) {
  const gitlab = await start(backlog(3), {
    ...options,
    seed: {
      groups: [{ full_path: 'web', members: { bob: 'owner' } }],
      projects: [{ path_with_namespace: 'web/site', members: { ada: role }, issues: backlog(2) }],
    },
  });
  const project = await gitlab.projectNamed('web/site');
  return { gitlab, original: { project, externalId: '1', key: 'web/site#1' } };
}

describe('closing as a duplicate', () => {
  test('uses GitLab’s command, which leaves no comment but notes on both issues', async () => {
    const { gitlab, original } = await withWeb('reporter');
    const closed = await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), original, never());
    expect(closed).toMatchObject({ state: 'closed', duplicateOf: 'web/site#1' });
    expect(gitlab.emulator.item(path, 2)).toMatchObject({
      duplicate_of: 'web/site#1',
      links: ['relates_to web/site#1'],
      comments: [],
    });
    expect(gitlab.emulator.item('web/site', 1).system_notes).toContain(
      `marked ${path}#2 as a duplicate of this issue`,
    );
  });

  test('and reopening removes the link created by closing, but not links by users', async () => {
    const { gitlab, original } = await withWeb('reporter');
    const reopened = async (number: number) => {
      await gitlab.provider.closeAsDuplicate(targetOf(gitlab, number), original, never());
      gitlab.clock.pass(60_000);
      await gitlab.provider.reopen(targetOf(gitlab, number), never());
      return gitlab.emulator.item(path, number).links;
    };
    await gitlab.provider.link(targetOf(gitlab, 3), 'duplicates', original, never());
    gitlab.clock.pass(60_000);
    expect(await reopened(2)).toEqual([]);
    expect(await reopened(3)).toEqual(['relates_to web/site#1']);
  });

  test('repeated writes nothing', async () => {
    const { gitlab, original } = await withWeb('reporter');
    await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), original, never());
    const before = gitlab.emulator.state();
    gitlab.clock.pass(1000);
    await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), original, never());
    expect(gitlab.emulator.state()).toEqual(before);
  });

  test('also marks what was closed earlier for another reason', async () => {
    const { gitlab, original } = await withWeb('reporter');
    gitlab.emulator.editAs('bob', path, 2, { state_event: 'close' });
    const closed = await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), original, never());
    expect(closed.duplicateOf).toBe('web/site#1');
  });

  test('links and closes, even repeatedly, if GitLab does not report originals', async () => {
    const { gitlab, original } = await withWeb('reporter', { reportsDuplicates: false });
    const close = () => gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), original, never());
    expect(await close()).toMatchObject({ state: 'closed', duplicateOf: null });
    const before = gitlab.emulator.item(path, 2);
    expect(before).toMatchObject({ duplicate_of: 'web/site#1', links: ['relates_to web/site#1'] });
    await close();
    expect(gitlab.emulator.item(path, 2)).toEqual(before);
  });

  test('still closes if the command is refused, with a link if allowed', async () => {
    const { gitlab, original } = await withWeb('guest');
    const refuse = {
      match: { method: 'POST', path: '/notes' },
      action: { kind: 'status', status: 403 },
    } as const;
    gitlab.emulator.faults.add(refuse);
    await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), original, never());
    expect(gitlab.emulator.item(path, 2)).toMatchObject({ state: 'closed', duplicate_of: null, links: [] });
    await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 3), targetOf(gitlab, 1), never());
    expect(gitlab.emulator.item(path, 3)).toMatchObject({ state: 'closed', links: [`relates_to ${path}#1`] });
  });

  test('still closes if the command is not executed', async () => {
    const { gitlab, original } = await withWeb('reporter');
    gitlab.emulator.setProject('web/site', { archived: true });
    const closed = await gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), original, never());
    expect(closed).toMatchObject({ state: 'closed', duplicateOf: null });
    expect(gitlab.emulator.item(path, 2).comments).toEqual([]);
  });

  test('without an original only closes', async () => {
    const gitlab = await start(backlog(1));
    const closed = await gitlab.provider.close(targetOf(gitlab, 1), 'not_planned', never());
    expect(closed).toMatchObject({ state: 'closed', duplicateOf: null });
  });

  test('closes a merge request, for which GitLab has no duplicates', async () => {
    const gitlab = await start(backlog(1), { mergeRequests: backlog(2) });
    const closed = await gitlab.provider.closeAsDuplicate(
      targetOf(gitlab, '!2'),
      targetOf(gitlab, '!1'),
      never(),
    );
    expect(closed).toMatchObject({ externalId: '!2', state: 'closed' });
    expect(gitlab.emulator.item(path, '!2').comments).toEqual([]);
  });

  test('leaves the issue open if the original is gone', async () => {
    const gitlab = await start(backlog(2));
    gitlab.emulator.deleteItem(path, 1);
    const closing = gitlab.provider.closeAsDuplicate(targetOf(gitlab, 2), targetOf(gitlab, 1), never());
    expect((await expectFailure(closing, 'not_found')).message).toContain(`${path}#1`);
    expect(gitlab.emulator.item(path, 2).state).toBe('opened');
  });

  test('without the required role reports that and leaves the issue open', async () => {
    const gitlab = await start(backlog(2));
    gitlab.emulator.setToken({ token: 'guest', username: 'gil' });
    gitlab.emulator.setMember(path, 'gil', 'guest');
    const closing = gitlab
      .providerFor('guest')
      .closeAsDuplicate(targetOf(gitlab, 2), targetOf(gitlab, 1), never());
    await expectFailure(closing, 'forbidden');
    expect(gitlab.emulator.item(path, 2)).toMatchObject({ state: 'opened', comments: [] });
  });
});

describe('a text that looks like commands', () => {
  const text = 'Steps:\n/close\n/label ~wrong\n```\n/close\n```';

  test('executes nothing in a comment, a new or an edited issue, and looks unchanged', async () => {
    const gitlab = await start(backlog(1));
    const target = targetOf(gitlab, 1);
    await gitlab.provider.comment(target, text, 'step-1', never());
    const edited = await gitlab.provider.edit(target, { description: text }, never());
    const issue = { title: 'New', description: text, labels: [], assignees: [] };
    const made = await gitlab.provider.create(gitlab.project, issue, 'step-2', never());
    const shown = 'Steps:\n\\/close\n\\/label ~wrong\n```\n/close\n```';
    expect(edited).toMatchObject({ state: 'opened', description: shown });
    expect(made).toMatchObject({ state: 'opened', description: `${shown}\n\n<!-- winnow:step-2 -->` });
    expect(gitlab.emulator.item(path, 1)).toMatchObject({
      state: 'opened',
      comments: [{}, { body: `${shown}\n\n<!-- winnow:step-1 -->` }],
    });
  });
});

describe('editing', () => {
  test('works for merge requests, too', async () => {
    const gitlab = await start([], { mergeRequests: backlog(1) });
    const request = await gitlab.provider.edit(targetOf(gitlab, '!1'), { title: 'renamed' }, never());
    expect(request).toMatchObject({ externalId: '!1', title: 'renamed' });
  });

  test('with a title that GitLab rejects explains why', async () => {
    const gitlab = await start(backlog(1));
    const editing = gitlab.provider.edit(targetOf(gitlab, 1), { title: 'x'.repeat(256) }, never());
    const error = await expectFailure(editing, 'invalid');
    expect(error.message).toContain('title is too long (maximum is 255 characters)');
  });

  test('refuses labels with a comma, which GitLab would split, before any call', async () => {
    const gitlab = await start(backlog(1));
    const change = { add: ['a,b'], remove: [] };
    await expectFailure(gitlab.provider.changeLabels(targetOf(gitlab, 1), change, never()), 'invalid');
    expect(gitlab.emulator.requests.all()).toEqual([]);
  });

  test('fails if GitLab silently ignores labels or assignees', async () => {
    const gitlab = await start([{ title: 'mine', author: 'gil' }]);
    gitlab.emulator.setToken({ token: 'guest', username: 'gil' });
    gitlab.emulator.setMember(path, 'gil', 'guest');
    const guest = gitlab.providerFor('guest');
    const target = targetOf(gitlab, 1);
    const labelling = guest.changeLabels(target, { add: ['a'], remove: [] }, never());
    expect((await expectFailure(labelling, 'forbidden')).message).toContain('did not change the labels of');
    await expectFailure(guest.assign(target, ['gil'], never()), 'forbidden');
  });
});

describe('assigning', () => {
  test('accepts a login in any letter case', async () => {
    const gitlab = await start(backlog(1));
    const issue = await gitlab.provider.assign(targetOf(gitlab, 1), ['ada', 'BOB'], never());
    expect(issue.assignees).toEqual(['ada', 'bob']);
  });

  test('assigns only the first on the free tier and returns that', async () => {
    const gitlab = await start(backlog(1), { tier: 'free' });
    const issue = await gitlab.provider.assign(targetOf(gitlab, 1), ['bob', 'ada'], never());
    expect(issue.assignees).toEqual(['bob']);
  });

  test('names a login that is not a member and changes nothing', async () => {
    const gitlab = await start([{ title: 'one', assignees: ['bob'] }], {
      seed: { users: [{ username: 'eve' }] },
    });
    const error = await expectFailure(
      gitlab.provider.assign(targetOf(gitlab, 1), ['ada', 'eve'], never()),
      'invalid',
    );
    expect(error.message).toContain('no member eve of acme/team/app');
    expect(gitlab.emulator.item(path, 1).assignees).toEqual(['bob']);
  });

  test.each([
    ['', ['ada', 'bob', 'bo-derek']],
    ['b', ['bob', 'bo-derek']],
    ['bo', ['bob', 'bo-derek']],
    ['love', ['ada']],
    ['ovelace', []],
    ['BOB', ['bob']],
  ])('suggests members by prefix of login or name (%j)', async (query, logins) => {
    const gitlab = await start([]);
    gitlab.emulator.setMember(path, 'bo-derek', 'reporter');
    const users = await gitlab.provider.assignableUsers(gitlab.project, query, never());
    expect(users.map(({ login }) => login).sort()).toEqual([...logins].sort());
  });
});

describe('links', () => {
  test('that only relate are replaced by a blocking one', async () => {
    const gitlab = await start(backlog(2));
    const [one, two] = [targetOf(gitlab, 1), targetOf(gitlab, 2)];
    await gitlab.provider.link(one, 'duplicates', two, never());
    expect(await gitlab.provider.links(one, never())).toEqual([{ kind: 'related', key: `${path}#2` }]);
    await gitlab.provider.link(one, 'blocks', two, never());
    expect(gitlab.emulator.item(path, 1).links).toEqual([`blocks ${path}#2`]);
  });

  test('that block are relations with a comment without a license, and are removed together', async () => {
    const gitlab = await start(backlog(3), { tier: 'free' });
    const [one, two] = [targetOf(gitlab, 2), targetOf(gitlab, 3)];
    await gitlab.provider.link(one, 'blocks', two, never());
    const { links, comments, system_notes } = gitlab.emulator.item(path, 2);
    await gitlab.provider.link(one, 'blocks', two, never());
    expect(gitlab.emulator.item(path, 2)).toMatchObject({ links, comments, system_notes });
    expect(links).toEqual([`relates_to ${path}#3`]);
    expect(comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^Blocks acme\/team\/app#3\. This GitLab has no blocking links/),
    ]);
    for (let times = 0; times < 2; times += 1) await gitlab.provider.unlink(one, 'blocks', two, never());
    expect(gitlab.emulator.item(path, 2)).toMatchObject({ links: [], comments: [] });
  });

  test('that block are relations if GitLab does not know the type', async () => {
    const gitlab = await start(backlog(2), { tier: 'core' });
    const [one, two] = [targetOf(gitlab, 1), targetOf(gitlab, 2)];
    await gitlab.provider.link(one, 'duplicates', two, never());
    await gitlab.provider.link(one, 'blocks', two, never());
    expect(gitlab.emulator.item(path, 1)).toMatchObject({
      links: [`relates_to ${path}#2`],
      comments: [{}, { body: expect.stringContaining('no blocking links') }],
    });
  });

  test('that may not be created are refused with the reason', async () => {
    const { gitlab, original } = await withWeb('guest');
    const linking = gitlab.provider.link(targetOf(gitlab, 1), 'blocks', original, never());
    await expectFailure(linking, 'forbidden');
    expect(gitlab.emulator.item(path, 1)).toMatchObject({ links: [], comments: [{}] });
  });

  test('created by users as relations stay when a blocking link is undone', async () => {
    const gitlab = await start(backlog(2), { tier: 'free' });
    const [one, two] = [targetOf(gitlab, 1), targetOf(gitlab, 2)];
    await gitlab.provider.link(one, 'duplicates', two, never());
    await gitlab.provider.unlink(one, 'blocks', two, never());
    expect(gitlab.emulator.item(path, 1).links).toEqual([`relates_to ${path}#2`]);
  });

  test('of duplicates are distinguished from other relations and can be removed', async () => {
    const gitlab = await start(backlog(3));
    const [one, two, three] = [targetOf(gitlab, 1), targetOf(gitlab, 2), targetOf(gitlab, 3)];
    await gitlab.provider.closeAsDuplicate(two, one, never());
    await gitlab.provider.link(three, 'duplicates', one, never());
    expect(await gitlab.provider.links(one, never())).toEqual([
      { kind: 'duplicated_by', key: `${path}#2` },
      { kind: 'related', key: `${path}#3` },
    ]);
    expect(await gitlab.provider.links(two, never())).toEqual([{ kind: 'duplicates', key: `${path}#1` }]);
    await gitlab.provider.unlink(two, 'duplicates', one, never());
    expect(await gitlab.provider.links(two, never())).toEqual([]);
  });

  test('of merge requests do not exist', async () => {
    const gitlab = await start(backlog(1), { mergeRequests: backlog(1) });
    expect(await gitlab.provider.links(targetOf(gitlab, '!1'), never())).toEqual([]);
    const linking = gitlab.provider.link(targetOf(gitlab, '!1'), 'blocks', targetOf(gitlab, 1), never());
    await expectFailure(linking, 'unsupported');
  });
});

describe('creating', () => {
  test('makes an issue that is found by its marker, even after many others', async () => {
    const gitlab = await start([]);
    const issue = { title: 'New', description: 'Text', labels: [], assignees: [] };
    const after = gitlab.clock.now();
    const made = await gitlab.provider.create(gitlab.project, issue, 'step-7', never());
    for (let n = 0; n < 130; n += 1) gitlab.emulator.createIssue(path, { title: `later ${n}` });
    expect(await gitlab.provider.findCreated(gitlab.project, 'step-7', after, never())).toEqual(made);
  });

  test('does not find issues older than requested', async () => {
    const description = 'x\n\n<!-- winnow:step-7 -->';
    const gitlab = await start([{ title: 'old', description, created_at: '2024-04-01T00:00:00Z' }]);
    expect(await gitlab.provider.findCreated(gitlab.project, 'step-7', START, never())).toBeNull();
  });
});

test('a comment on a merge request is posted, found and deleted', async () => {
  const gitlab = await start(backlog(1), { mergeRequests: backlog(1) });
  const target = targetOf(gitlab, '!1');
  const id = await gitlab.provider.comment(target, 'text', 'step-1', never());
  expect(await gitlab.provider.findComment(target, 'step-1', START, never())).toBe(id);
  expect(gitlab.emulator.item(path, '!1').comments).toHaveLength(2);
  await gitlab.provider.deleteComment(target, id, never());
  expect(gitlab.emulator.item(path, '!1').comments).toHaveLength(1);
});

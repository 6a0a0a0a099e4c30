import { describe, expect, test } from 'vitest';
import { START } from '../testing/emulated-clock.ts';
import { expectFailure } from '../testing/provider-suite/context.ts';
import type { EmulatedJiraOptions } from './testing/emulated-jira.ts';
import { backlog, never, startPerTest, targetOf } from './testing/per-test.ts';

const start = startPerTest();
const KINDS: [string, EmulatedJiraOptions][] = [
  ['Cloud', {}],
  ['Data Center', { deployment: 'data_center' }],
];

describe.each(KINDS)('in Jira %s', (kind, options) => {
  const isCloud = kind === 'Cloud';

  test('an edit replaces the title and the edited parts of the description', async () => {
    const mention = { type: 'mention', attrs: { id: '712020:bob', text: '@Bob Stone' } };
    const paragraph = { type: 'paragraph', content: [{ type: 'text', text: 'Ask ' }, mention] };
    const last = { type: 'paragraph', content: [{ type: 'text', text: 'It fails.' }] };
    const description = isCloud
      ? { type: 'doc', version: 1, content: [paragraph, last] }
      : 'Ask {color:red}[~bob]{color}\n\nIt fails.';
    const jira = await start([{ summary: 'old', description }], options);
    const target = targetOf(jira, 'WIN-1');
    const before = await jira.provider.issue(target, never());
    const text = before?.description.replace('It fails.', 'It *always* fails.') ?? '';
    const edited = await jira.provider.edit(target, { title: 'new\ntitle', description: text }, never());
    expect(edited).toMatchObject({ title: 'new title', description: text.replaceAll('*', '_') });
    const stored = jira.emulator.issue('WIN-1').description;
    if (isCloud) expect(stored).toMatchObject({ content: [paragraph, { type: 'paragraph' }] });
    else expect(stored).toBe('Ask {color:red}[~bob]{color}\n\nIt _always_ fails.');
  });

  test('undoing an edit restores a description, including what Markdown cannot express', async () => {
    const panel = {
      type: 'panel',
      attrs: { panelType: 'warning' },
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Mind the step.' }] }],
    };
    const description = isCloud
      ? { type: 'doc', version: 1, content: [panel] }
      : '{panel:title=Mind}\nthe {color:red}step{color}\n{panel}';
    const jira = await start([{ summary: 'old', description }], options);
    const target = targetOf(jira, 'WIN-1');
    const before = await jira.provider.issue(target, never());
    await jira.provider.edit(target, { description: 'Something else.' }, never());
    const { description: text = '', nativeDescription = '' } = before ?? {};
    await jira.provider.edit(target, { description: text, nativeDescription }, never());
    expect(jira.emulator.issue('WIN-1').description).toEqual(description);
  });

  test('an edit without changes writes nothing', async () => {
    const jira = await start([{ summary: 'same', description: 'text' }], options);
    await jira.provider.edit(targetOf(jira, 'WIN-1'), { title: 'same', description: 'text' }, never());
    expect(jira.emulator.requests.matching('PUT', /./)).toEqual([]);
  });

  test('a text that is too long is refused with an explanation', async () => {
    const jira = await start(backlog(1), options);
    const edit = jira.provider.edit(targetOf(jira, 'WIN-1'), { description: 'x'.repeat(40_000) }, never());
    expect((await expectFailure(edit, 'invalid')).message).toContain('32,767 characters');
  });

  test('a link of another type is reported as related and is not removed with ours', async () => {
    const jira = await start(backlog(2), options);
    const [first, second] = [targetOf(jira, 'WIN-1'), targetOf(jira, 'WIN-2')];
    await jira.provider.link(first, 'blocks', second, never());
    jira.emulator.linkAs('bob', 'Relates', 'WIN-1', 'WIN-2');
    expect(await jira.provider.links(first, never())).toEqual([
      { kind: 'blocks', key: 'WIN-2' },
      { kind: 'related', key: 'WIN-2' },
    ]);
    await jira.provider.unlink(first, 'blocks', second, never());
    expect(jira.emulator.issue('WIN-2').links).toEqual(['relates to WIN-1']);
  });

  test('one user can be assigned, and several are refused', async () => {
    const jira = await start(backlog(1), options);
    const target = targetOf(jira, 'WIN-1');
    const [bob] = await jira.provider.assignableUsers(jira.project, 'bob', never());
    expect(bob).toMatchObject({ login: isCloud ? 'Bob Stone' : 'bob', name: 'Bob Stone' });
    const login = bob?.login ?? '';
    await jira.provider.assign(target, [login], never());
    await expectFailure(jira.provider.assign(target, [login, 'ada'], never()), 'invalid');
    expect(jira.emulator.issue('WIN-1').assignee).toBe('bob');
  });

  test('a label with a space is refused and named', async () => {
    const jira = await start(backlog(1), options);
    const change = { add: ['two words'], remove: [] };
    const labelling = jira.provider.changeLabels(targetOf(jira, 'WIN-1'), change, never());
    expect((await expectFailure(labelling, 'invalid')).message).toContain('“two words”');
  });

  test('an issue is created as a task in the native text format, and found in any time zone', async () => {
    const jira = await start(backlog(1), { ...options, timeZone: 'Asia/Tokyo' });
    const createdAfter = jira.clock.now();
    const wanted = {
      title: 'made',
      description: 'a **bold** text',
      labels: ['x'],
      assignees: [isCloud ? 'Bob Stone' : 'bob'],
    };
    const made = await jira.provider.create(jira.project, wanted, 'step-1', never());
    expect(made).toMatchObject({ ...wanted, key: 'WIN-2', issueType: 'Task' });
    const find = (marker: string) => jira.provider.findCreated(jira.project, marker, createdAfter, never());
    expect(await find('step-1')).toEqual(made);
    expect(await find('step-12')).toBeNull();
    jira.clock.pass(3_600_000);
    expect(await jira.provider.findCreated(jira.project, 'step-1', jira.clock.now(), never())).toBeNull();
  });

  test('an issue is not created if a required field is unsupported', async () => {
    const createFields = [
      { key: 'customfield_1', name: 'Team', required: true },
      { key: 'customfield_2', name: 'Sprint', required: true, hasDefault: true },
    ];
    const jira = await start([], { ...options, project: { createFields } });
    const wanted = { title: 'made', description: '', labels: [], assignees: [] };
    const error = await expectFailure(
      jira.provider.create(jira.project, wanted, 'step-1', never()),
      'invalid',
    );
    expect(error.message).toBe('Jira requires Team to create an issue in WIN. Create it in Jira.');
    expect(jira.emulator.issues('WIN')).toEqual([]);
  });

  test('a comment is written in the native text format', async () => {
    const jira = await start(backlog(1), options);
    const target = targetOf(jira, 'WIN-1');
    await jira.provider.comment(target, 'a **bold** word', 'step-1', never());
    const { body, properties } = jira.emulator.issue('WIN-1').comments.at(-1) ?? {};
    expect(properties).toEqual({ winnow: { marker: 'step-1' } });
    if (isCloud) expect(JSON.stringify(body)).toContain('{"type":"strong"}');
    else expect(body).toBe('a *bold* word');
  });

  test('ids of all issues are listed page by page, even if the last one of a page is deleted', async () => {
    const jira = await start(backlog(1005), options);
    const first = await jira.provider.externalIds(jira.project, null, never());
    expect(first).toMatchObject({ done: false });
    jira.emulator.deleteIssue('WIN-1000');
    const ids = new Set(first.items);
    for (let cursor = first.cursor; ; ) {
      const page = await jira.provider.externalIds(jira.project, cursor, never());
      for (const id of page.items) ids.add(id);
      if (page.done) break;
      cursor = page.cursor;
    }
    for (const { id } of jira.emulator.issues('WIN')) expect(ids).toContain(id);
    expect(await jira.provider.count(jira.project, never())).toBe(1004);
  });

  test('a project is found under its new key, but not when it is gone', async () => {
    const jira = await start(backlog(2), options);
    jira.emulator.renameProject('WIN', 'WNW');
    expect(await jira.provider.project(jira.project, never())).toEqual({
      ...jira.project,
      identifier: 'WNW',
    });
    const page = await jira.provider.issues(jira.project, null, never());
    expect(page.items.map(({ key }) => key)).toEqual(['WNW-1', 'WNW-2']);
    jira.emulator.deleteProject('WNW');
    expect(await jira.provider.project(jira.project, never())).toBeNull();
  });
});

describe('in Jira Cloud', () => {
  test('two users with the same name are distinguished by account id', async () => {
    const twin = { name: 'bob2', displayName: 'Bob Stone', accountId: '5b10ac8d82e05b22cc7d4ef5' };
    const jira = await start(backlog(1), { seed: { users: [twin] } });
    const target = targetOf(jira, 'WIN-1');
    const users = await jira.provider.assignableUsers(jira.project, 'Bob', never());
    expect(users.map(({ login }) => login)).toEqual(['712020:bob', twin.accountId]);
    const error = await expectFailure(jira.provider.assign(target, ['Bob Stone'], never()), 'invalid');
    expect(error.message).toContain('More than one person');
    await jira.provider.assign(target, [twin.accountId], never());
    expect(jira.emulator.issue('WIN-1').assignee).toBe('bob2');
  });

  test('all comments of an issue are read, including those a search omits', async () => {
    const comments = Array.from({ length: 130 }, (_, index) => ({ body: `comment ${index}` }));
    const jira = await start([{ summary: 'a', created: START.toISOString(), comments }]);
    const page = await jira.provider.comments(jira.project, null, never());
    expect(page.items.map(({ body }) => body)).toEqual(comments.map(({ body }) => body));
    expect((await jira.provider.issue(targetOf(jira, 'WIN-1'), never()))?.commentsCount).toBe(130);
  });
});

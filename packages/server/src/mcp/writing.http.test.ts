import { change, changeList } from '@winnow/contract/change';
import { tracker } from '@winnow/contract/tracker';
import { TEST_TRACKERS, type TestTracker } from '@winnow/emulators/testing/test-trackers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../testing/caller.ts';
import { whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { type Agent, connectAgent, newKey } from './testing/agent.ts';

const TITLES = Array.from({ length: 9 }, (_, index) => `Report ${index + 1}`);

let winnow: RunningWinnow;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

describe.each(Object.entries(TEST_TRACKERS))('%s', (name, open) => {
  let testTracker: TestTracker;
  let caller: Caller;
  let agent: Agent;
  let proposer: Agent;

  beforeAll(async () => {
    testTracker = await open(TITLES);
    caller = await winnow.newCaller();
    const { id } = await caller.send('POST', '/trackers', { name, ...testTracker.connection }, tracker);
    await whenSynced(caller, id);
    agent = await connectAgent(winnow.origin, (await newKey(caller)).key);
    proposer = await connectAgent(winnow.origin, (await newKey(caller, ['read', 'propose'])).key);
  });
  afterEach(async () => {
    testTracker.faults.clear();
    // After each test, every recorded change must match the contract.
    await caller.get('/changes?limit=100', changeList);
  });
  afterAll(async () => {
    await Promise.all([agent.close(), proposer.close()]);
    await testTracker.close();
  });

  const issue = (number: number) => testTracker.keyOf(number);
  const create = (title: string, more: object = {}) =>
    agent.use('create_issue', { project: testTracker.project, title, allow_duplicate: true, ...more });
  const undo = (done: { change_id?: string | undefined }) =>
    agent.use('decide_change', { change_id: done.change_id ?? '', decision: 'undo' });

  test('creates an issue with labels and assignee; undo closes it as not planned', async () => {
    const done = await create('Make the tea', {
      description: 'With **milk**.',
      labels: ['kitchen'],
      assignees: [testTracker.loginOf('bob')],
      reason: 'Requested by a user.',
    });
    const number = TITLES.length + 1;
    expect(done).toMatchObject({ status: 'applied', issue_key: issue(number) });
    expect(testTracker.inspect(number)).toMatchObject({
      title: 'Make the tea',
      labels: ['kitchen'],
      assignees: ['bob'],
      comments: [],
    });
    expect(await agent.use('get_issue', { issue: issue(number) })).toMatchObject({
      title: 'Make the tea',
      description: expect.stringContaining('With **milk**.'),
      labels: ['kitchen'],
      assignees: [testTracker.loginOf('bob')],
      state: 'opened',
    });
    expect(await caller.get(`/changes/${done.change_id}`, change)).toMatchObject({
      kind: 'mcp',
      rationale: 'Requested by a user.',
      actor: { type: 'api_key' },
      issue_keys: [issue(number)],
    });
    const before = testTracker.inspect(number);
    expect(await undo(done)).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(number)).toMatchObject({ title: 'Make the tea', labels: ['kitchen'] });
    expect(testTracker.inspect(number).state).not.toBe(before.state);
    if (name === 'GitHub') expect(testTracker.inspect(number).reason).toBe('not_planned');
  });

  test('undo does not close a created issue that was changed meanwhile', async () => {
    const done = await create('Make coffee');
    const number = testTracker.count();
    testTracker.renameIssue(number, 'Make good coffee');
    const before = testTracker.inspect(number);
    const undone = await agent.notWritten('decide_change', {
      change_id: done.change_id ?? '',
      decision: 'undo',
    });
    expect(undone).toMatchObject({ status: 'failed' });
    expect(undone.steps?.[0]?.error).toContain(`${issue(number)} has changed since`);
    expect(testTracker.inspect(number)).toEqual(before);
  });

  test('writes title, labels and state in one change, and undo restores all of them', async () => {
    const before = testTracker.inspect(1);
    const done = await agent.use('update_issue', {
      issue: issue(1),
      title: 'Report one',
      add_labels: ['urgent', 'printer'],
      state: 'closed',
      close_reason: 'not_planned',
    });
    expect(done).toMatchObject({ status: 'applied', issue_key: issue(1) });
    expect(done.steps?.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'edit applied',
      'change_labels applied',
      'close applied',
    ]);
    const after = testTracker.inspect(1);
    expect(after).toMatchObject({ title: 'Report one', text: before.text });
    expect(after.labels.toSorted()).toEqual(['printer', 'urgent']);
    expect(after.state).not.toBe(before.state);
    if (name === 'GitHub') expect(after.reason).toBe('not_planned');
    expect(await undo(done)).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(1)).toEqual(before);
  });

  test('an update with values that already match writes nothing', async () => {
    await agent.use('update_issue', { issue: issue(2), add_labels: ['blue'] });
    testTracker.requests.clear();
    expect(
      await agent.use('update_issue', {
        issue: issue(2),
        title: 'Report 2',
        add_labels: ['blue'],
        remove_labels: ['red'],
        state: 'opened',
      }),
    ).toMatchObject({ status: 'unchanged' });
    expect(testTracker.requests.all()).toEqual([]);
  });

  test('labels match existing labels of the project case-insensitively', async () => {
    const label = (labels: string[]) => agent.use('update_issue', { issue: issue(8), add_labels: labels });
    await label(['Garden']);
    const done = await agent.use('update_issue', { issue: issue(9), add_labels: ['GARDEN'] });
    expect(done).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(9).labels.map((one) => one.toLowerCase())).toEqual(['garden']);
    expect(await label(['garden'])).toMatchObject({ status: 'unchanged' });
    expect(testTracker.inspect(8).labels).toEqual(['Garden']);
  });

  test('closes an issue as completed and reopens it', async () => {
    const before = testTracker.inspect(3);
    expect(await agent.use('update_issue', { issue: issue(3), state: 'closed' })).toMatchObject({
      status: 'applied',
    });
    expect(testTracker.inspect(3).state).not.toBe(before.state);
    if (name === 'GitHub') expect(testTracker.inspect(3).reason).toBe('completed');
    const reopened = await agent.use('update_issue', { issue: issue(3), state: 'opened' });
    expect(reopened).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(3)).toEqual(before);
    expect(await undo(reopened)).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(3).state).not.toBe(before.state);
  });

  test('does not change the close reason of a closed issue, and reports that', async () => {
    const close = (close_reason: 'completed' | 'not_planned', title?: string) =>
      agent.use('update_issue', { issue: issue(8), state: 'closed', close_reason, title });
    expect(await close('completed')).toMatchObject({ status: 'applied' });
    const closed = testTracker.inspect(8);
    const kept = `${issue(8)} is already closed; the reason of a closed issue cannot be changed.`;
    expect(await close('not_planned')).toMatchObject({
      status: 'unchanged',
      summary: `Nothing was written: ${kept}`,
    });
    const retitled = await close('not_planned', 'Report eight');
    expect(retitled).toMatchObject({ status: 'applied', summary: `Updated ${issue(8)}. ${kept}` });
    expect(testTracker.inspect(8)).toEqual({ ...closed, title: 'Report eight' });
    await undo(retitled);
    await agent.use('update_issue', { issue: issue(8), state: 'opened' });
  });

  test('assigns and unassigns people by login, by name and as me; undo restores the previous assignees', async () => {
    const assign = (assignees: string[]) => agent.use('assign_issue', { issue: issue(4), assignees });
    expect(await assign(['me'])).toMatchObject({ status: 'applied', issue_key: issue(4) });
    expect(testTracker.inspect(4).assignees).toEqual(['ada']);
    const toBob = await assign([testTracker.loginOf('bob').toUpperCase()]);
    expect(toBob).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(4).assignees).toEqual(['bob']);
    expect(await assign([`@${testTracker.loginOf('bob')}`])).toMatchObject({ status: 'unchanged' });
    await undo(toBob);
    expect(testTracker.inspect(4).assignees).toEqual(['ada']);
    expect(await assign([])).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(4).assignees).toEqual([]);
  });

  test('an unknown assignee is refused with suggestions, and nothing is written', async () => {
    testTracker.requests.clear();
    const said = await agent.failing('assign_issue', { issue: issue(4), assignees: ['mallory'] });
    expect(said).toContain(`mallory`);
    expect(said).toContain(testTracker.loginOf('bob'));
    const drafted = await agent.failing('create_issue', {
      project: testTracker.project,
      title: 'For no one',
      assignees: ['bo'],
      allow_duplicate: true,
    });
    expect(drafted).toContain(`Did you mean ${testTracker.loginOf('bob')}?`);
    expect(testTracker.requests.all().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('posts a comment once, and undo deletes it', async () => {
    const done = await agent.use('comment_on_issue', { issue: issue(5), comment: 'Seen **again**.' });
    expect(done).toMatchObject({ status: 'applied', issue_key: issue(5) });
    expect(testTracker.inspect(5).comments).toEqual([expect.anything()]);
    expect(JSON.stringify(testTracker.inspect(5).comments)).toContain('again');
    await undo(done);
    expect(testTracker.inspect(5).comments).toEqual([]);
  });

  test('a key with only the propose scope cannot write or approve; another key can', async () => {
    const before = testTracker.inspect(6);
    const proposals = [
      await proposer.use('update_issue', { issue: issue(6), title: 'Report six', add_labels: ['six'] }),
      await proposer.use('comment_on_issue', { issue: issue(6), comment: 'Six.', reason: 'It is six.' }),
      await proposer.use('update_issue', { issue: issue(6), state: 'closed' }),
      await proposer.use('assign_issue', { issue: issue(6), assignees: [testTracker.loginOf('bob')] }),
    ];
    const creation = await proposer.use('create_issue', {
      project: testTracker.project,
      title: 'A seventh cup',
      idempotency_key: 'cup',
    });
    const count = testTracker.count();
    expect([...proposals, creation].map(({ status }) => status)).toEqual(Array(5).fill('proposed'));
    expect(testTracker.inspect(6)).toEqual(before);
    const [first, second] = proposals.map(({ change_id }) => change_id ?? '');
    const said = await proposer.failing('decide_change', { change_id: first ?? '', decision: 'approve' });
    expect(said).toContain('"write"');
    const decide = (change_id: string, decision: 'approve' | 'reject') =>
      agent.use('decide_change', { change_id, decision });
    expect(await decide(second ?? '', 'reject')).toMatchObject({ status: 'rejected' });
    expect(await decide(first ?? '', 'approve')).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(6)).toEqual({ ...before, title: 'Report six', labels: ['six'] });
    expect(await decide(creation.change_id ?? '', 'approve')).toMatchObject({
      status: 'applied',
      issue_key: issue(count + 1),
    });
    expect(testTracker.inspect(count + 1)).toMatchObject({ title: 'A seventh cup' });
    // A proposal to close an issue whose text has changed since is refused. An assignment does not
    // depend on the text.
    const overtaken = await agent.failing('decide_change', {
      change_id: proposals[2]?.change_id ?? '',
      decision: 'approve',
    });
    expect(overtaken).toContain('has changed since');
    expect(testTracker.inspect(6).state).toBe(before.state);
    expect(await decide(proposals[3]?.change_id ?? '', 'approve')).toMatchObject({ status: 'applied' });
    expect(testTracker.inspect(6).assignees).toEqual(['bob']);
  });

  test('the same proposal is not created twice while it is open; a different one is created', async () => {
    const rename = (title: string) => proposer.use('update_issue', { issue: issue(9), title });
    const assign = () =>
      proposer.use('assign_issue', { issue: issue(9), assignees: [testTracker.loginOf('bob')] });
    const [first, assigned] = [await rename('Report nine'), await assign()];
    expect(await rename('Report nine')).toEqual(first);
    expect(await assign()).toEqual(assigned);
    const ids = new Set([first, assigned, await rename('Report IX')].map(({ change_id }) => change_id));
    expect(ids.size).toBe(3);
    await agent.use('decide_change', { change_id: first.change_id ?? '', decision: 'reject' });
    expect((await rename('Report nine')).change_id).not.toBe(first.change_id);
  });

  test('five agents can comment on, label and assign one issue concurrently', async () => {
    const me = testTracker.loginOf('bob');
    const { content_hash: seen } = await agent.use('get_issue', { issue: issue(7) });
    const before = testTracker.inspect(7).comments.length;
    const asked = [1, 2, 3, 4, 5].flatMap((round) => [
      agent.use('comment_on_issue', { issue: issue(7), comment: `Note ${round}` }),
      agent.use('update_issue', { issue: issue(7), add_labels: [`round-${round}`], base_hash: seen }),
      agent.use('assign_issue', { issue: issue(7), assignees: [me], base_hash: seen }),
    ]);
    const outcomes = await Promise.allSettled(asked);
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason)] : [],
    );
    expect(refusals).toEqual([]);
    const statuses = outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.status);
    expect(statuses.filter((status) => status !== 'applied' && status !== 'unchanged')).toEqual([]);
    const after = testTracker.inspect(7);
    expect(after.comments).toHaveLength(before + 5);
    expect([...after.labels].sort()).toEqual([1, 2, 3, 4, 5].map((round) => `round-${round}`));
    expect(after.assignees).toEqual(['bob']);
  });

  test('concurrent updates of a text both apply; with base_hash the second is refused', async () => {
    const update = (title: string, more = {}) =>
      agent.use('update_issue', { issue: issue(7), title, ...more });
    const done = await Promise.all([update('One'), update('Other')]);
    expect(done.map(({ status }) => status)).toEqual(['applied', 'applied']);
    const { content_hash: seen } = await agent.use('get_issue', { issue: issue(7) });
    const outcomes = await Promise.allSettled(
      ['First', 'Second'].map((title) => update(title, { base_hash: seen })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(String(refused[0]?.reason)).toContain('has changed since');
  });

  test('one idempotency key creates one issue, even for repeated and concurrent requests', async () => {
    const count = testTracker.count();
    const draft = { idempotency_key: 'kettle', description: 'It whistles.' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('The kettle', draft)));
    expect(new Set(answers.map(({ change_id }) => change_id)).size).toBe(1);
    expect(answers.map(({ issue_key }) => issue_key)).toEqual(Array(5).fill(issue(count + 1)));
    const again = await agent.use('create_issue', {
      project: testTracker.project,
      title: 'The kettle',
      ...draft,
    });
    expect(again).toMatchObject({ status: 'applied', issue_key: issue(count + 1) });
    expect(testTracker.count()).toBe(count + 1);
    await expect(create('Another kettle', draft)).rejects.toThrow('was used for another issue');
    expect(testTracker.count()).toBe(count + 1);
  });

  test('a failed creation is retried under the same key and creates one issue', async () => {
    const count = testTracker.count();
    // The tracker creates the issue but responds with an error.
    testTracker.faults.add({
      match: { method: 'POST', path: '/issues?$' },
      times: 1,
      action: { kind: 'status', status: 422, body: { message: 'No.' }, handled: true },
    });
    const failed = await agent.notWritten('create_issue', {
      project: testTracker.project,
      title: 'The teapot',
      allow_duplicate: true,
      idempotency_key: 'teapot',
    });
    expect(failed).toMatchObject({ status: 'failed' });
    expect(testTracker.count()).toBe(count + 1);
    const done = await create('The teapot', { idempotency_key: 'teapot' });
    expect(done).toMatchObject({
      status: 'applied',
      change_id: failed.change_id,
      issue_key: issue(count + 1),
    });
    expect(testTracker.count()).toBe(count + 1);
  });
});

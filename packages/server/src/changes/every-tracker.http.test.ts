import { type Change, change, changeList } from '@winnow/contract/change';
import { complianceUpdated } from '@winnow/contract/compliance';
import { commitResult, dependencyList } from '@winnow/contract/dependency';
import { type IssueDetail, issueDetail } from '@winnow/contract/issue-detail';
import { tracker } from '@winnow/contract/tracker';
import { type IssueState, TEST_TRACKERS, type TestTracker } from '@winnow/emulators/testing/test-trackers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const TITLES = Array.from({ length: 10 }, (_, index) => `Report ${index + 1}`);

/** Text in which each word uses the markup syntax of one of the trackers. */
const MARKED_UP = [
  'It also says: **wait longer** for `code`, `quote`, `panel`, `noformat` and `color:x`.',
  '![plan](https://a.example/plan.png)',
  '- [ ] open\n- [x] done (x)',
  '1. run\n\n   ```sh\n   a | b\n   ```\n2. see https://a.example/g/-/i_s_/1',
].join('\n\n');

let winnow: RunningWinnow;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

describe.each(Object.entries(TEST_TRACKERS))('%s', (name, open) => {
  let testTracker: TestTracker;
  let caller: Caller;

  beforeAll(async () => {
    testTracker = await open(TITLES);
    caller = await winnow.newCaller();
    const { id } = await caller.send('POST', '/trackers', { name, ...testTracker.connection }, tracker);
    await whenSynced(caller, id);
  });
  afterAll(() => testTracker.close());

  const read = (number: number): Promise<IssueDetail> =>
    caller.get(`/issues/${encodeURIComponent(testTracker.keyOf(number))}`, issueDetail);
  const both = (first: number) => [testTracker.inspect(first), testTracker.inspect(first + 1)] as const;

  /** Resolves the pair of the issues `first` and `first + 1`. Returns the settled change. */
  async function resolve(first: number, decision: Record<string, unknown>): Promise<Change> {
    const [one, other] = [await read(first), await read(first + 1)];
    const payload = { issue1_id: one.id, issue2_id: other.id, ...decision };
    const answer = await caller.call('PATCH', '/issue-duplicates/execute-resolution', payload);
    expect([answer.status, answer.text]).toEqual([expect.toSatisfy((status) => status < 300), answer.text]);
    return settled(first);
  }

  function settled(first: number): Promise<Change> {
    return eventually(async () => {
      const { changes } = await caller.get('/changes', changeList);
      const found = changes.find(({ issue_keys }) => issue_keys.includes(testTracker.keyOf(first)));
      return found !== undefined && found.status !== 'applying' && found;
    });
  }

  async function undo({ id }: Change): Promise<Change> {
    await caller.send('POST', `/changes/${id}/undo`, undefined, change);
    return eventually(async () => {
      const now = await caller.get(`/changes/${id}`, change);
      return now.undone_by !== null && now.status !== 'applied' && now;
    });
  }

  /**
   * Undoes a change and checks that both issues have their previous texts, in the tracker and in
   * Winnow.
   */
  async function expectTakenBack(done: Change, first: number, before: readonly IssueState[]): Promise<void> {
    expect((await undo(done)).status).toBe('undone');
    expect(both(first)).toEqual(before);
    expect(await read(first)).toMatchObject({ state: 'opened' });
  }

  test('closing as a duplicate closes one issue and comments on both; undo reverts all of it', async () => {
    const before = both(1);
    const done = await resolve(1, { resolution: 'close_b' });
    expect(done.status).toBe('applied');
    const [kept, closed] = both(1);
    expect(kept.state).toBe(before[0].state);
    expect(closed.state).not.toBe(before[1].state);
    expect(closed.duplicateOf).not.toBeNull();
    expect(JSON.stringify(closed.comments)).toContain(testTracker.keyOf(1));
    expect(JSON.stringify(kept.comments)).toContain(testTracker.keyOf(2));
    await expectTakenBack(done, 1, before);
  });

  test('a close that the tracker reports but does not perform fails the step', async () => {
    await pretendToClose(testTracker, 10);
    const done = await resolve(9, { resolution: 'close_b' });
    testTracker.faults.clear();
    expect(done.status).toBe('partly_applied');
    expect(done.steps.at(-1)).toMatchObject({
      action: 'close_as_duplicate',
      status: 'failed',
      error: `The tracker accepted the change, but ${testTracker.keyOf(10)} is still open.`,
    });
    expect(await read(10)).toMatchObject({ state: 'opened' });
  });

  test('merging writes both texts into one issue and closes the other issue; undo restores every word', async () => {
    const before = both(3);
    const merged = `${(await read(3)).description}\n\n${MARKED_UP}`;
    const done = await resolve(3, {
      resolution: 'merge_b_to_a',
      resulting_issue_1_title: 'Both reports',
      resulting_issue_1_description: merged,
    });
    expect(done.status).toBe('applied');
    expect(await read(3)).toMatchObject({ title: 'Both reports', description: merged });
    const [target, source] = both(3);
    expect([target.title, target.state]).toEqual(['Both reports', before[0].state]);
    expect(source.state).not.toBe(before[1].state);
    await expectTakenBack(done, 3, before);
  });

  test('deconflicting writes both texts and closes no issue; undo restores every word', async () => {
    const before = both(5);
    const done = await resolve(5, {
      resolution: 'deconflict',
      resulting_issue_1_title: 'The first half',
      resulting_issue_2_description: `Only the second half.\n\nSee ${testTracker.keyOf(5)}.`,
    });
    expect(done.status).toBe('applied');
    const [first, second] = both(5);
    expect(first).toEqual({ ...before[0], title: 'The first half' });
    expect(second).toEqual({ ...before[1], text: second.text });
    expect(JSON.stringify(second.text)).toContain('Only the second half.');
    await expectTakenBack(done, 5, before);
  });

  test('marking a pair as unrelated writes nothing to the tracker', async () => {
    const before = both(7);
    const done = await resolve(7, { resolution: 'unrelated' });
    expect(both(7)).toEqual(before);
    await expectTakenBack(done, 7, before);
  });

  test('improved texts are written, and undo restores every word', async () => {
    const before = both(7);
    const { id, description } = await read(7);
    const update = {
      title: 'Printing stops after two pages',
      description: `${description}\n\n## Expected\n\nIt goes on.`,
    };
    const done = await caller.send('PATCH', `/issue_compliance_update/${id}`, update, complianceUpdated);
    expect(done).toMatchObject({ status: 'applied', error: null });
    expect(await read(7)).toMatchObject(update);
    await expectTakenBack(await caller.get(`/changes/${done.change_id}`, change), 7, before);
  });

  test('a dependency is written as a link that the tracker reports, and undo removes it', async () => {
    const [first, second] = [await read(7), await read(8)];
    await caller.send(
      'PATCH',
      `/issue_compliance_update/${second.id}`,
      { description: `${second.description}\n\nBlocked by ${testTracker.keyOf(7)}.` },
      complianceUpdated,
    );
    const detect = async (refresh = false) => {
      const body = { issue_ids: [first.id, second.id], refresh };
      return (await caller.send('POST', '/issue-dependencies/detect', body, dependencyList)).dependencies;
    };
    const before = both(7);
    const [found] = await detect();
    expect(found).toMatchObject({
      issue_key: testTracker.keyOf(7),
      dependency_key: testTracker.keyOf(8),
      is_committed: false,
    });
    const dependencies = [{ source_issue_id: first.id, dependent_issue_id: second.id }];
    const body = await caller.send('POST', '/issue-dependencies/commit', { dependencies }, commitResult);
    expect(body).toMatchObject({ failed: [], pending: [] });
    expect(JSON.stringify(both(7).map(({ links }) => links))).not.toBe(
      JSON.stringify(before.map(({ links }) => links)),
    );
    expect(await detect(true)).toMatchObject([{ is_committed: true, comes_from_tracker: false }]);
    await undo(await caller.get(`/changes/${body.dependencies[0]?.change_id}`, change));
    expect(both(7)).toEqual(before);
    expect(await detect(true)).toMatchObject([
      { is_committed: false, comes_from_tracker: false, undone: true },
    ]);
  });
});

/** Makes a tracker respond as if it had closed the issue, without closing it. */
async function pretendToClose({ connection, faults }: TestTracker, number: number): Promise<void> {
  if (connection.type === 'jira') {
    const match = { method: 'POST', path: `/issue/\\w+(-\\d+)?/transitions` };
    faults.add({ match, action: { kind: 'status', status: 204 } });
    return;
  }
  const isGitHub = connection.type === 'github';
  const path = isGitHub ? '/repos/acme/app' : '/api/v4/projects/acme%2Fapp';
  const response = await fetch(`${connection.url}${path}/issues/${number}`, {
    headers: { authorization: `Bearer ${connection.api_key}` },
  });
  const body = { ...z.record(z.string(), z.unknown()).parse(await response.json()), state: 'closed' };
  const match = { method: isGitHub ? 'PATCH' : 'PUT', path: `/issues/${number}$` };
  faults.add({ match, action: { kind: 'status', status: 200, body } });
  if (isGitHub) return;
  // GitLab closes duplicates by a command in a note. The first note is the comment, so the second
  // one is intercepted.
  const command = { method: 'POST', path: `/issues/${number}/notes$` };
  faults.add({ match: command, skip: 1, action: { kind: 'status', status: 202, body: {} } });
}

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { TrackerError } from '../trackers/provider.ts';
import { actor, type LedgerSetup, setUpLedger } from './testing/ledger-setup.ts';

let database: TestDatabase;
let setup: LedgerSetup;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  setup = await setUpLedger(database.db);
});

const TITLE = 'Says what both said';
const DESCRIPTION = 'First this.\n\nThen that.';

const merge = () =>
  setup.submit({
    resolution: 'merge_b_to_a',
    resulting_issue_1_title: TITLE,
    resulting_issue_1_description: DESCRIPTION,
  });

const deconflict = () =>
  setup.submit({
    resolution: 'deconflict',
    resulting_issue_1_title: 'The one',
    resulting_issue_2_title: 'The other',
    resulting_issue_2_description: 'Only the other.',
  });

/** Returns the first two issues as read from the tracker. */
async function both() {
  return { first: await setup.inTracker(setup.first), second: await setup.inTracker(setup.second) };
}

test('merging writes the new texts, comments on both issues, and closes the source; undo restores every word', async () => {
  const before = await both();
  const changeId = await merge();
  expect(await setup.apply(changeId)).toBe('applied');
  const { first, second } = await both();
  expect(first).toMatchObject({ title: TITLE, body: DESCRIPTION, state: 'open' });
  expect(first.comments.at(-1)).toContain(setup.second.key);
  expect(second).toMatchObject({ state: 'closed', duplicateOf: setup.first.key, title: before.second.title });
  expect(second.comments.at(-1)).toContain(setup.first.key);
  expect(await setup.pair()).toMatchObject({ resolution: 'merged', change_id: changeId });
  expect((await setup.reread(setup.first.key)).title).toBe(TITLE);

  expect(await setup.undo(changeId)).toBe('undone');
  expect(await both()).toEqual(before);
  expect(await setup.pair()).toMatchObject({ resolution: null, undone: true });
});

test('deconflicting writes the changed texts without closing or commenting; undo restores every word', async () => {
  const before = await both();
  const changeId = await deconflict();
  expect(await setup.apply(changeId)).toBe('applied');
  const { first, second } = await both();
  expect(first).toEqual({ ...before.first, title: 'The one' });
  expect(second).toEqual({ ...before.second, title: 'The other', body: 'Only the other.' });
  expect(await setup.pair()).toMatchObject({ resolution: 'deconflicted', both_open: true });

  expect(await setup.undo(changeId)).toBe('undone');
  expect(await both()).toEqual(before);
});

for (const method of ['edit', 'comment', 'closeAsDuplicate']) {
  test(`a merge does nothing twice when its process is killed after the tracker did ${method} but before it was stored`, async () => {
    const before = await both();
    const changeId = await merge();
    let edits = 0;
    setup.trouble.before = (called) => {
      if (called === 'edit') edits += 1;
    };
    let killed = false;
    setup.trouble.after = (called) => {
      if (called !== method || killed) return;
      killed = true;
      throw new Error('the process is gone');
    };
    await expect(setup.apply(changeId)).rejects.toThrow('the process is gone');
    expect(await setup.apply(changeId)).toBe('applied');
    expect(edits).toBe(1);
    const { first, second } = await both();
    expect(first).toMatchObject({ title: TITLE, body: DESCRIPTION });
    expect(first.comments).toHaveLength(before.first.comments.length + 1);
    expect(second.comments).toHaveLength(before.second.comments.length + 1);
    expect(second.state).toBe('closed');
  });
}

test('a text edited between the decision and the write is not overwritten, and no later step runs', async () => {
  const changeId = await merge();
  await setup.editElsewhere(setup.first, { body: 'Someone is faster.' });
  expect(await setup.apply(changeId)).toBe('failed');
  const { first, second } = await both();
  expect(first.body).toBe('Someone is faster.');
  expect(second.state).toBe('open');
  const { steps } = await setup.ledger.get(setup.accountId, changeId);
  expect(steps.map(({ status }) => status)).toEqual(['failed', 'skipped', 'skipped', 'skipped']);
  expect(steps[0]?.error).toContain('has been edited in the tracker since');
});

test('an edit of one field is not affected by edits of others', async () => {
  const changeId = await setup.submit({ resolution: 'deconflict', resulting_issue_1_title: 'The one' });
  await setup.editElsewhere(setup.first, { body: 'Another body.' });
  expect(await setup.apply(changeId)).toBe('applied');
  expect(await setup.inTracker(setup.first)).toMatchObject({ title: 'The one', body: 'Another body.' });
});

test('undo of a text that was edited since is refused before anything is undone', async () => {
  const changeId = await merge();
  await setup.apply(changeId);
  await setup.editElsewhere(setup.first, { title: 'Better still' });
  const before = await both();
  const undoing = setup.undo(changeId);
  await expect(undoing).rejects.toMatchObject({ category: 'conflict', code: 'edited_since' });
  expect(await both()).toEqual(before);
  expect((await setup.ledger.get(setup.accountId, changeId)).change.status).toBe('applied');
});

test('the first of two merges into one issue cannot be undone, because only a part could be reverted', async () => {
  const first = await merge();
  await setup.apply(first);
  const { accountId, duplicates, ledger, third } = setup;
  const payload = { issue1_id: setup.first.id, issue2_id: third.id, resolution: 'merge_b_to_a' } as const;
  const plan = await duplicates.plan(accountId, { ...payload, resulting_issue_1_description: 'All three.' });
  const second = await ledger.save(accountId, { actor, as: 'applying' }, plan);
  await setup.apply(second);
  await expect(setup.undo(first)).rejects.toMatchObject({ code: 'edited_since' });
  expect(await setup.undo(second)).toBe('undone');
  expect(await setup.undo(first)).toBe('undone');
});

test('an edit of punctuation only, interrupted by a crash before the write, is written afterwards', async () => {
  await setup.editElsewhere(setup.first, { title: 'Crash in C++' });
  await setup.syncNow();
  const changeId = await setup.submit({ resolution: 'merge_b_to_a', resulting_issue_1_title: 'Crash in C#' });
  let killed = false;
  setup.trouble.before = (called) => {
    if (called !== 'edit' || killed) return;
    killed = true;
    throw new Error('the process is gone');
  };
  await expect(setup.apply(changeId)).rejects.toThrow('the process is gone');
  expect(await setup.apply(changeId)).toBe('applied');
  expect((await setup.inTracker(setup.first)).title).toBe('Crash in C#');
});

describe('a tracker that accepts a write but does something else', () => {
  test.each<[string, string, (answer: object) => object]>([
    ['keeps its text', 'edit', (answer) => ({ ...answer, title: setup.first.title })],
    ['returns another issue', 'edit', (answer) => ({ ...answer, externalId: '999999' })],
    ['leaves the issue open', 'closeAsDuplicate', (answer) => ({ ...answer, state: 'opened' })],
  ])('and %s fails the step, and no later step runs', async (_what, method, answered) => {
    const changeId = await merge();
    setup.trouble.answer = (called, answer) =>
      called === method && typeof answer === 'object' && answer !== null ? answered(answer) : answer;
    expect(await setup.apply(changeId)).not.toBe('applied');
    const { steps } = await setup.ledger.get(setup.accountId, changeId);
    const at = steps.findIndex(({ status }) => status === 'failed');
    expect(steps[at]?.error).toContain('The tracker accepted the change, but');
    expect(steps.slice(at + 1).every(({ status }) => status === 'skipped')).toBe(true);
    if (method === 'edit') expect((await setup.inTracker(setup.second)).state).toBe('open');
  });
});

test('a text that the tracker reformats is applied, is reported, and can be undone', async () => {
  const shown = 'Rewritten by a plugin of the tracker.';
  const before = await both();
  const changeId = await setup.submit({
    resolution: 'deconflict',
    resulting_issue_1_description: DESCRIPTION,
    resulting_issue_2_title: 'The other',
  });
  setup.trouble.answer = async (called, answer) => {
    if (called !== 'edit' || typeof answer !== 'object' || answer === null) return answer;
    if (!('description' in answer) || answer.description !== DESCRIPTION) return answer;
    await setup.editElsewhere(setup.first, { body: shown });
    return { ...answer, description: shown };
  };
  expect(await setup.apply(changeId)).toBe('applied');
  const { steps } = await setup.ledger.get(setup.accountId, changeId);
  expect(steps.map(({ status, error }) => [status, error])).toEqual([
    ['applied', expect.stringContaining('shows a text that differs')],
    ['applied', null],
  ]);
  setup.trouble = {};
  expect(await setup.undo(changeId)).toBe('undone');
  expect(await both()).toEqual(before);
});

test('a survivor closed as a duplicate while comments are written receives no duplicate', async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  setup.trouble.before = async (called) => {
    if (called !== 'comment') return;
    const closing = { state: 'closed', state_reason: 'duplicate', duplicate_of: setup.second.key } as const;
    await setup.editElsewhere(setup.first, closing);
  };
  expect(await setup.apply(changeId)).toBe('partly_applied');
  expect((await setup.inTracker(setup.second)).state).toBe('open');
});

test("a person's close while ours is in progress is not mistaken for ours", async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  setup.trouble.before = async (called) => {
    if (called !== 'closeAsDuplicate') return;
    await setup.editElsewhere(setup.second, { state: 'closed', state_reason: 'completed' });
    throw new TrackerError('unreachable', 'The tracker did not answer.');
  };
  await expect(setup.apply(changeId)).rejects.toThrow('did not answer');
  setup.trouble = {};
  expect(await setup.apply(changeId)).toBe('partly_applied');
  const { steps } = await setup.ledger.get(setup.accountId, changeId);
  expect(steps.at(-1)?.error).toContain('was closed by someone else');
});

test('texts that differ only in line endings are not written', async () => {
  await setup.editElsewhere(setup.first, { body: 'One.\r\nTwo.' });
  await setup.syncNow();
  const payload = { issue1_id: setup.first.id, issue2_id: setup.second.id };
  const plan = setup.duplicates.plan(setup.accountId, {
    ...payload,
    resolution: 'deconflict',
    resulting_issue_1_description: 'One.\nTwo.',
  });
  await expect(plan).rejects.toMatchObject({ category: 'invalid' });
});

test('reopening an issue in the tracker reverts the decision: its pair is open and is not suggested again', async () => {
  const changeId = await merge();
  await setup.apply(changeId);
  await setup.editElsewhere(setup.second, { state: 'open', state_reason: null });
  await setup.syncNow();
  expect(await setup.pair()).toMatchObject({ resolution: null, undone: true, both_open: true });
});

test('closing the survivor later does not change the decision', async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  await setup.apply(changeId);
  await setup.editElsewhere(setup.first, { state: 'closed', state_reason: 'completed' });
  await setup.syncNow();
  await setup.editElsewhere(setup.first, { state: 'open', state_reason: null });
  await setup.syncNow();
  expect(await setup.pair()).toMatchObject({ resolution: 'closed', undone: false });
});

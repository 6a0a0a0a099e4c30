import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

/**
 * Saves a resolution of the first two issues, and applies it while one kind of write fails. Later
 * writes succeed.
 */
async function failingAt(
  method: string,
  resolution: 'close_b' | 'merge_b_to_a' = 'close_b',
): Promise<string> {
  const changeId = await setup.submit({ resolution, resulting_issue_1_title: 'Both of them' });
  setup.trouble.before = (called) => {
    if (called === method) throw new TrackerError('forbidden', 'Not with this token.');
  };
  await setup.apply(changeId);
  setup.trouble = {};
  return changeId;
}

const status = async (changeId: string) => (await setup.ledger.get(setup.accountId, changeId)).change.status;

test('finishes the failed steps, and records who retried', async () => {
  const changeId = await failingAt('closeAsDuplicate', 'merge_b_to_a');
  expect(await setup.retry(changeId)).toBe('applied');
  expect((await setup.inTracker(setup.second)).state).toBe('closed');
  const { change } = await setup.ledger.get(setup.accountId, changeId);
  expect(change).toMatchObject({ decided_by: actor.name, retried_by: actor.name });
});

test('is refused when the pair was decided differently meanwhile, so that two issues do not close each other', async () => {
  const changeId = await failingAt('closeAsDuplicate');
  await setup.apply(await setup.submit({ resolution: 'close_a' }));
  await expect(setup.retry(changeId)).rejects.toMatchObject({ category: 'conflict' });
  expect((await setup.inTracker(setup.second)).state).toBe('open');
  expect(await status(changeId)).toBe('partly_applied');
});

test('is refused when the pair was marked as unrelated meanwhile', async () => {
  const changeId = await failingAt('closeAsDuplicate');
  await setup.apply(await setup.submit({ resolution: 'unrelated' }));
  await expect(setup.retry(changeId)).rejects.toMatchObject({ code: 'already_resolved' });
});

test('is refused when the survivor was closed as a duplicate meanwhile', async () => {
  const changeId = await failingAt('closeAsDuplicate');
  const { accountId, duplicates, first, third, ledger } = setup;
  const plan = await duplicates.plan(accountId, {
    issue1_id: third.id,
    issue2_id: first.id,
    resolution: 'close_b',
  });
  await setup.apply(await ledger.save(accountId, { actor, as: 'applying' }, plan));
  await expect(setup.retry(changeId)).rejects.toMatchObject({ code: 'changed_since' });
  expect((await setup.inTracker(setup.second)).state).toBe('open');
});

test('is refused when an issue was edited in the tracker meanwhile, and its new text is stored', async () => {
  const changeId = await failingAt('closeAsDuplicate');
  await setup.editElsewhere(setup.second, { body: 'NOT a duplicate, see the new log.' });
  await expect(setup.retry(changeId)).rejects.toMatchObject({ code: 'changed_since' });
  expect((await setup.reread(setup.second.key)).description).toBe('NOT a duplicate, see the new log.');
  expect((await setup.inTracker(setup.second)).state).toBe('open');
});

test('is refused while the change is being undone', async () => {
  const changeId = await failingAt('closeAsDuplicate');
  await setup.ledger.undo(setup.accountId, actor, changeId);
  await expect(setup.retry(changeId)).rejects.toMatchObject({ code: 'already_undone' });
  expect((await setup.inTracker(setup.second)).state).toBe('open');
});

test('is refused when the tracker is known to refuse the remaining steps', async () => {
  const changeId = await failingAt('closeAsDuplicate');
  setup.trouble.before = (method) => {
    if (method === 'expectWritable') throw new TrackerError('invalid', 'Its workflow has no way to Done.');
  };
  await expect(setup.retry(changeId)).rejects.toMatchObject({
    code: 'cannot_be_written',
    detail: 'Its workflow has no way to Done.',
  });
  expect(await status(changeId)).toBe('partly_applied');
});

test('does nothing twice when the failed write had taken effect', async () => {
  const changeId = await setup.submit({
    resolution: 'merge_b_to_a',
    resulting_issue_1_title: 'Both of them',
  });
  const edits: string[] = [];
  setup.trouble.after = (called) => {
    if (called !== 'edit') return;
    edits.push(called);
    throw new TrackerError('forbidden', 'Done, but we do not say so.');
  };
  await setup.apply(changeId);
  setup.trouble = {};
  expect(await setup.retry(changeId)).toBe('applied');
  expect(edits).toHaveLength(1);
  expect((await setup.inTracker(setup.first)).title).toBe('Both of them');
});

test('of an undo is refused when its change has continued since, and a new undo reverts all of it', async () => {
  const before = [await setup.inTracker(setup.first), await setup.inTracker(setup.second)];
  const changeId = await failingAt('closeAsDuplicate', 'merge_b_to_a');
  const undoId = await setup.ledger.undo(setup.accountId, actor, changeId);
  setup.trouble.before = (called) => {
    if (called === 'deleteComment') throw new TrackerError('forbidden', 'Not with this token.');
  };
  expect(await setup.apply(undoId)).toBe('failed');
  setup.trouble = {};
  expect(await setup.retry(changeId)).toBe('applied');
  await expect(setup.retry(undoId)).rejects.toMatchObject({ code: 'went_on' });
  expect(await setup.undo(changeId)).toBe('undone');
  expect([await setup.inTracker(setup.first), await setup.inTracker(setup.second)]).toEqual(before);
});

test('an agent cannot decide about a pair whose decision was undone', async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  await setup.apply(changeId);
  await setup.undo(changeId);
  const { accountId, duplicates, first, second, ledger } = setup;
  const payload = { issue1_id: first.id, issue2_id: second.id, resolution: 'close_b' } as const;
  const plan = await duplicates.plan(accountId, payload);
  const agent = { type: 'api_key', id: randomUUID(), name: 'Editor' } as const;
  await expect(ledger.save(accountId, { actor: agent, as: 'applying' }, plan)).rejects.toMatchObject({
    code: 'decision_undone',
  });
});

test('an issue that is the original of a pending close is not closed itself', async () => {
  await setup.submit({ resolution: 'close_b' });
  const { accountId, duplicates, first, third, ledger } = setup;
  const payload = { issue1_id: third.id, issue2_id: first.id, resolution: 'close_b' } as const;
  const plan = await duplicates.plan(accountId, payload);
  await expect(ledger.save(accountId, { actor, as: 'applying' }, plan)).rejects.toMatchObject({
    code: 'being_closed',
  });
});

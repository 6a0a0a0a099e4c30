import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { IssueView } from '../issues/index.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { TrackerError } from '../trackers/provider.ts';
import { projectRefOf } from './target.ts';
import { actor, job, type LedgerSetup, setUpLedger } from './testing/ledger-setup.ts';

let database: TestDatabase;
let setup: LedgerSetup;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  setup = await setUpLedger(database.db);
});

/** Closes an issue as completed, directly in the tracker. */
function closeElsewhere(issue: IssueView): Promise<void> {
  return setup.editElsewhere(issue, { state: 'closed', state_reason: 'completed' });
}

function closeSecond(): Promise<string> {
  return setup.submit({ resolution: 'close_b' });
}

test('closing as a duplicate writes both comments, closes, and marks the pair; undo reverts all of it', async () => {
  const before = { first: await setup.inTracker(setup.first), second: await setup.inTracker(setup.second) };
  const changeId = await closeSecond();
  await setup.apply(changeId);
  const applied = await setup.ledger.get(setup.accountId, changeId);
  expect(applied.change.status).toBe('applied');
  expect(await setup.inTracker(setup.second)).toMatchObject({
    state: 'closed',
    duplicateOf: setup.first.key,
  });
  expect((await setup.inTracker(setup.second)).comments.at(-1)).toContain(setup.first.key);
  expect((await setup.inTracker(setup.first)).comments.at(-1)).toContain(setup.second.key);
  expect((await setup.reread(setup.second.key)).state).toBe('closed');
  expect(await setup.pair()).toMatchObject({ resolution: 'closed', change_id: changeId, both_open: false });

  expect(await setup.undo(changeId)).toBe('undone');
  expect({ first: await setup.inTracker(setup.first), second: await setup.inTracker(setup.second) }).toEqual(
    before,
  );
  expect(await setup.pair()).toMatchObject({ resolution: null, undone: true });
});

test('an undone change is not undone twice', async () => {
  const changeId = await closeSecond();
  await setup.apply(changeId);
  await setup.ledger.undo(setup.accountId, actor, changeId);
  await expect(setup.ledger.undo(setup.accountId, actor, changeId)).rejects.toMatchObject({
    code: 'already_undone',
  });
});

test('an issue edited in the tracker since its last read is not written to, and its new text is stored', async () => {
  await database.db
    .updateTable('sample_issue')
    .set({ title: 'Someone changed this' })
    .where('account_id', '=', setup.accountId)
    .where('project_identifier', '=', setup.second.project_identifier)
    .where('number', '=', Number(setup.second.external_id))
    .execute();
  await expect(closeSecond()).rejects.toMatchObject({ category: 'conflict', code: 'changed_since' });
  expect((await setup.reread(setup.second.key)).title).toBe('Someone changed this');
  expect((await setup.ledger.list(setup.accountId, {}, { limit: 10, skip: 0 })).total).toBe(0);
});

/** Removes the issue from the tracker and syncs, so that Winnow deletes it too. */
async function forget(issue: IssueView): Promise<void> {
  await database.db
    .transaction()
    .execute((transaction) =>
      setup.intake.removeIssues(transaction, projectRefOf(issue), [issue.external_id]),
    );
}

test.each([
  ['before it begins', null],
  ['after its first comment', 'comment'],
  ['after it was closed', 'closeAsDuplicate'],
])('a decision whose issue is removed here %s fails with a sentence or completes', async (_, method) => {
  const changeId = await closeSecond();
  if (method === null) await forget(setup.second);
  let isForgotten = false;
  const removals: Promise<void>[] = [];
  setup.trouble.after = (called) => {
    if (called !== method || isForgotten) return;
    isForgotten = true;
    removals.push(forget(setup.second));
  };
  await setup.apply(changeId);
  await Promise.all(removals);
  const { change, steps } = await setup.ledger.get(setup.accountId, changeId);
  const failed = steps.find((step) => step.status === 'failed');
  if (method === 'closeAsDuplicate') expect(change.status).toBe('applied');
  else
    expect(failed?.error).toBe(
      `${setup.second.key} is unavailable: it was removed from its tracker or is out of scope.`,
    );
  const again = await setup.ledger.undo(setup.accountId, actor, changeId).catch((error: unknown) => error);
  if (typeof again !== 'string') return;
  await setup.applier.apply(setup.accountId, again, job);
  expect(['failed', 'partly_applied', 'applied']).toContain(
    (await setup.ledger.get(setup.accountId, again)).change.status,
  );
});

test('a decision about an issue that was removed here is not begun', async () => {
  const plan = await setup.duplicates.plan(setup.accountId, {
    issue1_id: setup.first.id,
    issue2_id: setup.second.id,
    resolution: 'close_b',
  });
  await forget(setup.second);
  await expect(setup.ledger.save(setup.accountId, { actor, as: 'applying' }, plan)).rejects.toMatchObject({
    category: 'conflict',
    code: 'issue_gone',
  });
  expect((await setup.inTracker(setup.first)).comments.at(-1) ?? '').not.toContain(setup.second.key);
});

test('outdated preview hashes stop the change', async () => {
  const payload = { issue1_id: setup.first.id, issue2_id: setup.second.id, resolution: 'close_b' } as const;
  const plan = await setup.duplicates.plan(setup.accountId, payload);
  const seen = { [setup.second.id]: 'f'.repeat(64) };
  await expect(
    setup.ledger.save(setup.accountId, { actor, as: 'applying' }, plan, { seen }),
  ).rejects.toMatchObject({
    code: 'changed_since',
  });
});

for (const method of ['comment', 'closeAsDuplicate']) {
  test(`nothing is done twice when the process is killed after the tracker did ${method} but before it was stored`, async () => {
    const changeId = await closeSecond();
    let killed = false;
    setup.trouble.after = (called) => {
      if (called !== method || killed) return;
      killed = true;
      throw new Error('the process is gone');
    };
    await expect(setup.applier.apply(setup.accountId, changeId, job)).rejects.toThrow('the process is gone');
    setup.trouble = {};
    await setup.apply(changeId);
    expect((await setup.ledger.get(setup.accountId, changeId)).change.status).toBe('applied');
    const posted = (await setup.inTracker(setup.second)).comments.filter((body) =>
      body.includes('Closing as a duplicate'),
    );
    expect(posted).toHaveLength(1);
    expect((await setup.inTracker(setup.second)).state).toBe('closed');
  });
}

test('a rate-limited change is retried later and loses nothing', async () => {
  const retryAt = new Date(Date.now() + 60_000);
  const changeId = await closeSecond();
  setup.trouble.before = (method) => {
    if (method === 'closeAsDuplicate') throw new TrackerError('rate_limited', 'Wait a minute.', { retryAt });
  };
  expect(await setup.applier.apply(setup.accountId, changeId, job)).toEqual({ retryAt });
  expect((await setup.ledger.get(setup.accountId, changeId)).change.status).toBe('applying');
  setup.trouble = {};
  await setup.apply(changeId);
  expect((await setup.ledger.get(setup.accountId, changeId)).change.status).toBe('applied');
});

test('a tracker that asks for more than an hour fails the step, so that a user can decide', async () => {
  const retryAt = new Date(Date.now() + 2 * 60 * 60_000);
  const changeId = await closeSecond();
  setup.trouble.before = (method) => {
    if (method === 'comment') throw new TrackerError('rate_limited', 'Wait for two hours.', { retryAt });
  };
  expect(await setup.applier.apply(setup.accountId, changeId, job)).toEqual({ retryAt: null });
  const failed = await setup.ledger.get(setup.accountId, changeId);
  expect(failed.change.status).toBe('failed');
  expect(failed.steps.map(({ status, error }) => [status, error])).toEqual([
    ['failed', 'Wait for two hours.'],
    ['skipped', null],
    ['skipped', null],
  ]);
});

test('a close stopped by a rate limit has not begun: if the issue is closed later, someone else closed it', async () => {
  const retryAt = new Date(Date.now() + 60_000);
  const changeId = await closeSecond();
  setup.trouble.before = (method) => {
    if (method === 'closeAsDuplicate') throw new TrackerError('rate_limited', 'Wait a minute.', { retryAt });
  };
  await setup.applier.apply(setup.accountId, changeId, job);
  setup.trouble = {};
  await setup.editElsewhere(setup.second, {
    state: 'closed',
    state_reason: 'duplicate',
    duplicate_of: setup.first.key,
  });
  await setup.apply(changeId);
  const failed = await setup.ledger.get(setup.accountId, changeId);
  expect(failed.steps.at(-1)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('was closed by someone else'),
  });
});

test('a step that the tracker refuses fails with the tracker’s message, and a retry performs only the remaining steps', async () => {
  const changeId = await closeSecond();
  setup.trouble.before = (method) => {
    if (method === 'closeAsDuplicate')
      throw new TrackerError('forbidden', 'This token may not close issues.');
  };
  await setup.apply(changeId);
  const failed = await setup.ledger.get(setup.accountId, changeId);
  expect(failed.change.status).toBe('partly_applied');
  expect(failed.steps.map(({ status }) => status)).toEqual(['applied', 'applied', 'failed']);
  expect(failed.steps.at(-1)?.error).toBe('This token may not close issues.');
  setup.trouble = {};
  expect(await setup.retry(changeId)).toBe('applied');
  const comments = (await setup.inTracker(setup.second)).comments.filter((body) =>
    body.includes('Closing as a duplicate'),
  );
  expect(comments).toHaveLength(1);
});

test('a lasting error fails the change on the last attempt instead of leaving it applying', async () => {
  const changeId = await closeSecond();
  setup.trouble.before = (method) => {
    if (method === 'comment') throw new TrackerError('unreachable', 'The tracker did not answer.');
  };
  await expect(setup.applier.apply(setup.accountId, changeId, job)).rejects.toThrow('did not answer');
  await setup.applier.apply(setup.accountId, changeId, { ...job, isLastAttempt: true });
  expect((await setup.ledger.get(setup.accountId, changeId)).change.status).toBe('failed');
});

test('an issue closed by someone else meanwhile is not closed again', async () => {
  const changeId = await closeSecond();
  await closeElsewhere(setup.second);
  await setup.apply(changeId);
  const record = await setup.ledger.get(setup.accountId, changeId);
  expect(record.change.status).toBe('partly_applied');
  expect(record.steps.at(-1)?.error).toContain('closed by someone else');
});

test('undo does not reopen an issue that someone else closed again since', async () => {
  const changeId = await closeSecond();
  await setup.apply(changeId);
  await closeElsewhere(setup.second);
  const undoId = await setup.ledger.undo(setup.accountId, actor, changeId);
  await setup.applier.apply(setup.accountId, undoId, job);
  const undo = await setup.ledger.get(setup.accountId, undoId);
  expect(undo.steps.find(({ action }) => action === 'reopen')).toMatchObject({
    status: 'failed',
    error: `${setup.second.key} has changed since Winnow closed it. Reopen it in the tracker.`,
  });
  expect(await setup.inTracker(setup.second)).toMatchObject({ state: 'closed', duplicateOf: null });
});

test('undo does not reopen an issue that was edited since', async () => {
  const changeId = await closeSecond();
  await setup.apply(changeId);
  await database.db
    .updateTable('sample_issue')
    .set({ title: 'Said differently since' })
    .where('account_id', '=', setup.accountId)
    .where('number', '=', Number(setup.second.external_id))
    .where('project_identifier', '=', setup.second.project_identifier)
    .execute();
  const undoId = await setup.ledger.undo(setup.accountId, actor, changeId);
  await setup.applier.apply(setup.accountId, undoId, job);
  const undo = await setup.ledger.get(setup.accountId, undoId);
  expect(undo.steps.find(({ action }) => action === 'reopen')?.status).toBe('failed');
  expect((await setup.inTracker(setup.second)).state).toBe('closed');
});

test('a change of another account is the same 404 as an unknown one', async () => {
  const changeId = await closeSecond();
  const stranger = randomUUID();
  for (const attempt of [
    () => setup.ledger.get(stranger, changeId),
    () => setup.ledger.undo(stranger, actor, changeId),
    () => setup.ledger.retry(stranger, actor, changeId),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ category: 'not_found', detail: 'Not found.' });
  }
});

test('marking as unrelated writes nothing to the tracker and can be undone', async () => {
  const before = { first: await setup.inTracker(setup.first), second: await setup.inTracker(setup.second) };
  const changeId = await setup.submit({ resolution: 'unrelated' });
  await setup.apply(changeId);
  expect((await setup.ledger.get(setup.accountId, changeId)).change.status).toBe('applied');
  expect(await setup.undo(changeId)).toBe('undone');
  expect({ first: await setup.inTracker(setup.first), second: await setup.inTracker(setup.second) }).toEqual(
    before,
  );
});

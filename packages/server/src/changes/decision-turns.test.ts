import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { TrackerError } from '../trackers/provider.ts';
import type { Actor } from './ledger.ts';
import { actor, type LedgerSetup, setUpLedger } from './testing/ledger-setup.ts';

let database: TestDatabase;
let setup: LedgerSetup;
const people: Actor[] = ['ann', 'bob', 'eve'].map((name) => ({ type: 'user', id: randomUUID(), name }));

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  setup = await setUpLedger(database.db);
});

async function proposed(): Promise<string> {
  const { accountId, first, second, duplicates } = setup;
  const payload = { issue1_id: first.id, issue2_id: second.id, resolution: 'merge_b_to_a' } as const;
  const texts = { resulting_issue_1_title: 'Both of them' };
  const asked = { actor, as: 'proposed' } as const;
  return (await duplicates.resolve(accountId, asked, { ...payload, ...texts })).change.id;
}

async function applied(): Promise<string> {
  const changeId = await setup.submit({
    resolution: 'merge_b_to_a',
    resulting_issue_1_title: 'Both of them',
  });
  expect(await setup.apply(changeId)).toBe('applied');
  return changeId;
}

/** Saves and applies a change. The tracker refuses its last step. */
async function partlyApplied(): Promise<string> {
  const changeId = await setup.submit({
    resolution: 'merge_b_to_a',
    resulting_issue_1_title: 'Both of them',
  });
  failAt('closeAsDuplicate');
  expect(await setup.apply(changeId)).toBe('partly_applied');
  setup.trouble = {};
  return changeId;
}

function failAt(method: string): void {
  setup.trouble.before = (called) => {
    if (called === method) throw new TrackerError('forbidden', 'Not with this token.');
  };
}

/** For each kind of decision: creates a change that can be decided, and makes the decision. */
const DECISIONS: Record<string, [() => Promise<string>, (changeId: string, by: Actor) => Promise<unknown>]> =
  {
    approval: [proposed, (changeId, by) => setup.ledger.approve(setup.accountId, by, changeId)],
    undo: [applied, (changeId, by) => setup.ledger.undo(setup.accountId, by, changeId)],
    retry: [partlyApplied, (changeId, by) => setup.ledger.retry(setup.accountId, by, changeId)],
  };

test.each(Object.entries(DECISIONS))(
  'the %s waits for an earlier write to its issue',
  async (_, [make, decide]) => {
    const changeId = await make();
    const endTurn = await setup.holdTurn(setup.second);
    let isDecided = false;
    const decided = decide(changeId, actor).then(() => {
      isDecided = true;
    });
    await eventually(async () => isDecided || (await setup.turnCount()) === 2);
    expect(isDecided).toBe(false);
    await endTurn();
    await decided;
  },
);

describe('of several concurrent decisions, the first one counts and the others are refused with the reason:', () => {
  /**
   * Makes the same decision three times concurrently, applies the first one, and returns the
   * refusals.
   */
  async function refusals(decision: string): Promise<unknown[]> {
    const [make, decide] = DECISIONS[decision] ?? expect.fail();
    const changeId = await make();
    const endTurn = await setup.holdTurn(setup.second);
    const decided = people.map((by) => decide(changeId, by));
    const first = Promise.any(decided).then(async (undoId) => {
      const { change } = await setup.ledger.get(
        setup.accountId,
        typeof undoId === 'string' ? undoId : changeId,
      );
      expect(await setup.apply(change.id)).toBe('applied');
    });
    await eventually(async () => (await setup.turnCount()) === 4);
    const outcomes = Promise.allSettled(decided);
    await endTurn();
    await first;
    return (await outcomes).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  }

  test('three approvals', async () => {
    const refused = { category: 'conflict', code: 'not_proposed', detail: 'This change is already applied.' };
    expect(await refusals('approval')).toMatchObject([refused, refused]);
  });

  test('three undos', async () => {
    const refused = { category: 'conflict', code: 'already_undone' };
    expect(await refusals('undo')).toMatchObject([refused, refused]);
  });

  test('three retries', async () => {
    const refused = { category: 'conflict', code: 'nothing_failed' };
    expect(await refusals('retry')).toMatchObject([refused, refused]);
  });
});

test('an approval while the change is being applied says so', async () => {
  const changeId = await proposed();
  const [first = actor, second = actor] = people;
  await setup.ledger.approve(setup.accountId, first, changeId);
  await expect(setup.ledger.approve(setup.accountId, second, changeId)).rejects.toMatchObject({
    code: 'not_proposed',
    detail: 'This change is already being applied.',
  });
  await expect(setup.ledger.retry(setup.accountId, second, changeId)).rejects.toMatchObject({
    code: 'nothing_failed',
    detail: 'This change is being applied.',
  });
});

test('an undo that waits for a retry also reverts what the retry wrote', async () => {
  const before = [await setup.inTracker(setup.first), await setup.inTracker(setup.second)];
  const changeId = await setup.submit({
    resolution: 'merge_b_to_a',
    resulting_issue_1_title: 'Both of them',
  });
  failAt('comment');
  expect(await setup.apply(changeId)).toBe('partly_applied');
  setup.trouble = {};
  const endTurn = await setup.holdTurn(setup.second);
  const retrying = setup.ledger.retry(setup.accountId, actor, changeId);
  await eventually(async () => (await setup.turnCount()) === 2);
  const undoing = setup.ledger.undo(setup.accountId, actor, changeId);
  await eventually(async () => (await setup.turnCount()) === 3);
  await endTurn();
  await retrying;
  failAt('closeAsDuplicate');
  expect(await setup.apply(changeId)).toBe('partly_applied');
  setup.trouble = {};
  expect(await setup.apply(await undoing)).toBe('applied');
  expect([await setup.inTracker(setup.first), await setup.inTracker(setup.second)]).toEqual(before);
});

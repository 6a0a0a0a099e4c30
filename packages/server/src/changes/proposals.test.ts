import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import type { Actor } from './ledger.ts';
import { actor, type LedgerSetup, setUpLedger } from './testing/ledger-setup.ts';

let database: TestDatabase;
let setup: LedgerSetup;
const approver: Actor = { type: 'user', id: randomUUID(), name: 'ann' };
const agent: Actor = { type: 'flow', id: randomUUID(), name: 'Nightly triage' };

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  setup = await setUpLedger(database.db);
});

function propose(by: Actor = actor, resolution: 'close_a' | 'close_b' | 'unrelated' = 'close_b') {
  const { accountId, first, second, duplicates } = setup;
  const payload = { issue1_id: first.id, issue2_id: second.id, resolution, reason: 'Same crash.' } as const;
  return duplicates.resolve(accountId, { actor: by, as: 'proposed' }, payload);
}

const both = async () => [await setup.inTracker(setup.first), await setup.inTracker(setup.second)];

test('a proposal writes nothing, and is applied as planned when it is approved', async () => {
  const before = await both();
  const { change } = await propose(agent);
  expect(change).toMatchObject({
    status: 'proposed',
    rationale: 'Same crash.',
    decided_by: null,
    decided_at: null,
  });
  expect(await setup.apply(change.id)).toBe('proposed');
  expect(await both()).toEqual(before);

  await setup.ledger.approve(setup.accountId, approver, change.id);
  expect(await setup.apply(change.id)).toBe('applied');
  expect((await setup.inTracker(setup.second)).duplicateOf).toBe(setup.first.key);
  const decided = (await setup.ledger.get(setup.accountId, change.id)).change;
  expect(decided).toMatchObject({ actor_name: 'Nightly triage', decided_by: 'ann' });
  expect(decided.decided_at).toBeInstanceOf(Date);
});

test('a rejected proposal is not written and cannot be approved', async () => {
  const before = await both();
  const { change } = await propose();
  await setup.ledger.reject(setup.accountId, approver, change.id);
  const approving = setup.ledger.approve(setup.accountId, approver, change.id);
  await expect(approving).rejects.toMatchObject({ category: 'conflict', code: 'not_proposed' });
  expect(await setup.apply(change.id)).toBe('rejected');
  expect(await both()).toEqual(before);
});

test('concurrent approvals apply a proposal once', async () => {
  const { change } = await propose();
  const tries = await Promise.allSettled(
    Array.from({ length: 5 }, () => setup.ledger.approve(setup.accountId, approver, change.id)),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a proposal about an issue that changed since is not begun and keeps waiting', async () => {
  const { change } = await propose();
  await setup.editElsewhere(setup.second, { title: 'Another matter' });
  const approving = setup.ledger.approve(setup.accountId, approver, change.id);
  await expect(approving).rejects.toMatchObject({ category: 'conflict', code: 'changed_since' });
  expect((await setup.ledger.get(setup.accountId, change.id)).change.status).toBe('proposed');
});

test('only one proposal per pair can wait for approval', async () => {
  await propose();
  await expect(propose(agent, 'close_a')).rejects.toMatchObject({ code: 'already_proposed' });
});

test('a decision about the pair rejects the proposals about that pair, and no others', async () => {
  const { change } = await propose(agent, 'unrelated');
  const { accountId, duplicates, first, third } = setup;
  const elsewhere = await duplicates.resolve(
    accountId,
    { actor: agent, as: 'proposed' },
    {
      issue1_id: first.id,
      issue2_id: third.id,
      resolution: 'unrelated',
    },
  );
  await setup.apply(await setup.submit({ resolution: 'close_b' }));
  const status = async (id: string) => (await setup.ledger.get(accountId, id)).change.status;
  expect(await status(change.id)).toBe('rejected');
  expect(await status(elsewhere.change.id)).toBe('proposed');
});

test('a pair whose decision was undone can be proposed again by people only', async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  await setup.apply(changeId);
  await setup.undo(changeId);
  await expect(propose(agent)).rejects.toMatchObject({ code: 'decision_undone' });
  expect((await propose(actor)).change.status).toBe('proposed');
});

test('a proposal of another account is the same 404 as an unknown one', async () => {
  const { change } = await propose();
  const stranger = randomUUID();
  for (const attempt of [
    () => setup.ledger.approve(stranger, approver, change.id),
    () => setup.ledger.reject(stranger, approver, change.id),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ category: 'not_found', detail: 'Not found.' });
  }
  expect((await setup.ledger.get(setup.accountId, change.id)).change.status).toBe('proposed');
});

test('an agent cannot undo its own proposal that a person approved; it can undo what it began itself', async () => {
  const { change } = await propose(agent);
  await setup.ledger.approve(setup.accountId, approver, change.id);
  await setup.apply(change.id);
  const own = { category: 'forbidden', code: 'own_proposal' };
  await expect(setup.ledger.undo(setup.accountId, agent, change.id)).rejects.toMatchObject(own);
  await setup.apply(await setup.ledger.undo(setup.accountId, approver, change.id));

  const { accountId, duplicates, first, third } = setup;
  const payload = { issue1_id: first.id, issue2_id: third.id, resolution: 'unrelated' } as const;
  const plan = await duplicates.plan(accountId, payload);
  const begun = await setup.ledger.save(accountId, { actor: agent, as: 'applying' }, plan);
  await setup.apply(begun);
  await expect(setup.ledger.undo(accountId, agent, begun)).resolves.toEqual(expect.any(String));
});

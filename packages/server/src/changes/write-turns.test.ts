import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { actor, type LedgerSetup, setUpLedger } from './testing/ledger-setup.ts';
import { takeTurn } from './turn-store.ts';
import { WriteTurns } from './write-turns.ts';

let database: TestDatabase;
let setup: LedgerSetup;
/** Two instances that act as two processes on the same database. */
let processes: [WriteTurns, WriteTurns];
const [one, other] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  setup = await setUpLedger(database.db);
  processes = [newProcess(), newProcess()];
});

function newProcess(waitMs?: number): WriteTurns {
  const { ledger } = setup;
  return new WriteTurns({
    db: database.db,
    waitMs,
    whenSettled: (accountId, changeId, until) => ledger.whenSettled(accountId, changeId, until),
  });
}

const turnCount = () => setup.turnCount();

test('writes to one issue run in order of arrival, across two processes', async () => {
  const begun: number[] = [];
  let running = 0;
  const writes = [];
  for (const place of [0, 1, 2, 3, 4, 5]) {
    const turns = processes[place % 2 === 0 ? 0 : 1];
    writes.push(
      turns.run(setup.accountId, { issueIds: [one] }, async () => {
        begun.push(place);
        running += 1;
        expect(running).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      }),
    );
    await eventually(
      async () => begun.includes(place) || (await turnCount()) === writes.length - begun.length,
    );
  }
  await Promise.all(writes);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  expect(await turnCount()).toBe(0);
});

test('two writes that name the same issues in opposite order do not deadlock', async () => {
  const ran: string[] = [];
  await Promise.all([
    processes[0].run(setup.accountId, { issueIds: [one, other] }, async () => ran.push('first')),
    processes[1].run(setup.accountId, { issueIds: [other, one] }, async () => ran.push('second')),
  ]);
  expect(ran.sort()).toEqual(['first', 'second']);
});

test('additive writes do not wait for each other, and a write to another issue does not wait', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const shared = { issueIds: [one], isShared: true };
  const first = processes[0].run(setup.accountId, shared, () => held);
  await eventually(async () => (await turnCount()) === 1);
  await processes[1].run(setup.accountId, shared, async () => 'ran');
  await processes[1].run(setup.accountId, { issueIds: [other] }, async () => 'ran');
  release();
  await first;
});

test('a caller that disconnects while waiting writes nothing and leaves no turn', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = processes[0].run(setup.accountId, { issueIds: [one] }, () => held);
  await eventually(async () => (await turnCount()) === 1);
  const gone = new AbortController();
  let wrote = false;
  const second = processes[1].run(setup.accountId, { issueIds: [one], signal: gone.signal }, async () => {
    wrote = true;
  });
  await eventually(async () => (await turnCount()) === 2);
  const reason = new Error('The caller went away.');
  gone.abort(reason);
  await expect(second).rejects.toBe(reason);
  release();
  await first;
  expect({ wrote, turns: await turnCount() }).toEqual({ wrote: false, turns: 0 });
});

test('the turn of a killed process expires', async () => {
  await takeTurn(database.db, { accountId: setup.accountId, issueIds: [one], isShared: false });
  expect(await processes[0].run(setup.accountId, { issueIds: [one] }, async () => 'ran')).toBe('ran');
}, 20_000);

test('a write runs when the change that blocked it is settled', async () => {
  const { accountId, duplicates, ledger, first, second } = setup;
  const before = await setup.submit({ resolution: 'close_b' });
  const payload = { issue1_id: first.id, issue2_id: second.id, resolution: 'unrelated' } as const;
  const codes: unknown[] = [];
  const outcome = ledger
    .runInTurn(accountId, { actor }, { issueIds: [first.id] }, async () => {
      const plan = await duplicates.plan(accountId, payload);
      return ledger.save(accountId, { actor, as: 'applying' }, plan).catch((error: { code?: unknown }) => {
        codes.push(error.code);
        throw error;
      });
    })
    .catch((error: unknown) => error);
  await eventually(() => codes.length === 1);
  await setup.apply(before);
  expect(await outcome).toMatchObject({ code: 'already_resolved' });
  expect(codes).toEqual(['being_resolved', 'already_resolved']);
});

test('a write that waits too long is refused with the issue and when to retry', async () => {
  const { first, second } = setup;
  const changeId = await setup.submit({ resolution: 'close_b' });
  let wrote = false;
  const late = newProcess(200).run(setup.accountId, { issueIds: [second.id] }, async () => {
    wrote = true;
  });
  await expect(late).rejects.toMatchObject({
    category: 'conflict',
    code: 'being_changed',
    detail: `Another change is being written to ${second.key}. Try again in a few seconds.`,
    retryAfterSeconds: 5,
    more: { change_id: changeId },
  });
  expect({ wrote, turns: await turnCount() }).toEqual({ wrote: false, turns: 0 });
  // Closing an issue as a duplicate only adds a comment to its original, so a write to the original
  // need not wait.
  expect(await newProcess(200).run(setup.accountId, { issueIds: [first.id] }, async () => 'ran')).toBe('ran');
});

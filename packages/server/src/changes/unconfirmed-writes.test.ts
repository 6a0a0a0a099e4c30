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

const stepsOf = async (changeId: string) => (await setup.ledger.get(setup.accountId, changeId)).steps;
const commentsOn = async (issue: LedgerSetup['first']) => (await setup.inTracker(issue)).comments.length;

/** Makes reads after the next close or reopening return `state`, at most `times` times. */
function lagAfter(write: 'closeAsDuplicate' | 'reopen', state: 'opened' | 'closed', times: number): void {
  let left = 0;
  setup.trouble.answer = (called, answer) => {
    if (called === write) left = times;
    if (called !== 'issue' || left === 0 || typeof answer !== 'object') return answer;
    left -= 1;
    return { ...answer, state };
  };
}

test('a close that the tracker reports but does not store fails the change, and a retry closes the issue', async () => {
  const comments = async () => [await commentsOn(setup.first), await commentsOn(setup.second)];
  const before = await comments();
  const changeId = await setup.submit({ resolution: 'close_b' });
  setup.trouble.answer = async (called, answer) => {
    if (called === 'closeAsDuplicate') await setup.editElsewhere(setup.second, { state: 'open' });
    return answer;
  };
  expect(await setup.apply(changeId)).toBe('partly_applied');
  expect((await stepsOf(changeId)).at(-1)).toMatchObject({
    status: 'failed',
    error: `The tracker accepted the change, but ${setup.second.key} is still open.`,
  });
  expect((await setup.reread(setup.second.key)).state).toBe('opened');
  setup.trouble = {};
  expect(await setup.retry(changeId)).toBe('applied');
  expect((await setup.inTracker(setup.second)).state).toBe('closed');
  expect(await comments()).toEqual(before.map((count) => count + 1));
});

test('a reopening that the tracker reports but does not store fails the undo, and a retry reopens', async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  await setup.apply(changeId);
  const undoId = await setup.ledger.undo(setup.accountId, actor, changeId);
  lagAfter('reopen', 'closed', 2);
  expect(await setup.apply(undoId)).not.toBe('applied');
  expect((await stepsOf(undoId)).find(({ status }) => status === 'failed')?.error).toBe(
    `The tracker accepted the change, but ${setup.second.key} is still closed.`,
  );
  setup.trouble = {};
  expect(await setup.retry(undoId)).toBe('applied');
  expect((await setup.inTracker(setup.second)).state).toBe('open');
});

test('a close that a lagging replica shows at the second read is applied', async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  lagAfter('closeAsDuplicate', 'opened', 1);
  expect(await setup.apply(changeId)).toBe('applied');
});

test('if a rate limit prevents the read after a close, the close is not mistaken for one by someone else', async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  let closes = 0;
  let isLimited = false;
  setup.trouble = {
    before: (called) => {
      if (called !== 'issue' || !isLimited) return;
      isLimited = false;
      throw new TrackerError('rate_limited', 'Too many requests.', { retryAt: new Date() });
    },
    after: (called) => {
      if (called !== 'closeAsDuplicate') return;
      closes += 1;
      isLimited = true;
    },
  };
  expect(await setup.apply(changeId)).toBe('applying');
  expect(await setup.apply(changeId)).toBe('applied');
  expect(closes).toBe(1);
});

test('a close needs only one read after the write', async () => {
  const changeId = await setup.submit({ resolution: 'close_b' });
  const calls: string[] = [];
  setup.trouble.before = (called) => void calls.push(called);
  await setup.apply(changeId);
  expect(calls.slice(calls.indexOf('closeAsDuplicate'))).toEqual(['closeAsDuplicate', 'issue']);
});

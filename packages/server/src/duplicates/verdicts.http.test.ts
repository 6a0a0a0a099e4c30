import { randomUUID } from 'node:crypto';
import { currentUser } from '@winnow/contract/account';
import { pairList } from '@winnow/contract/duplicate';
import { BUILT_IN_ANALYST, MAX_VERDICTS, verdict, verdictList } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { issueIds, whenCompared } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ISSUES = [
  { title: 'Upgrade netty to 4.1.86', body: 'The current one has an advisory.' },
  { title: 'Upgrade netty to 4.1.89', body: 'The current one has an advisory.' },
  { title: 'Export loses the time zone', body: 'The export of a shared calendar loses its time zone.' },
  {
    title: 'Export loses its time zone',
    body: 'The export of a shared calendar loses its time zone, always.',
  },
  { title: 'Dark theme is too dark', body: 'Labels cannot be read. Maybe a duplicate of #3.' },
];

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;
/** Issue ids by issue number. */
let ids: string[];

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, ISSUES));
  await whenCompared(caller);
  ids = await issueIds(caller, ISSUES.length);
});
afterAll(async () => {
  await winnow.close();
  await github.close();
});

const named = (first: number, second: number) => ({
  issue1_id: ids[first] ?? '',
  issue2_id: ids[second] ?? '',
});
const check = (first: number, second: number) => {
  const { issue1_id, issue2_id } = named(first, second);
  return caller.get(`/issue-duplicates/check?issue1_id=${issue1_id}&issue2_id=${issue2_id}`, verdict);
};

test('the built-in analyst judges a pair and gives a reason', async () => {
  const given = await check(3, 4);
  expect(given).toMatchObject({
    decision: 'duplicate',
    suggestion: 'Close acme/app#4 as a duplicate of acme/app#3.',
    ai_model_id: null,
    ai_model_name: BUILT_IN_ANALYST,
    resolution: null,
    stale: false,
  });
  expect(given.reason).toContain('“zone”');
});

test('never calls requests for two different versions duplicates', async () => {
  const given = await check(1, 2);
  expect(given.decision).toBe('overlapping');
  expect(given.reason).toContain('acme/app#1 names “4.1.86”, and acme/app#2 names “4.1.89”');
});

test('quotes an issue that names its original, but does not trust it', async () => {
  const given = await check(3, 5);
  expect(given.decision).toBe('overlapping');
  expect(given.reason).toContain('acme/app#5 says itself that it is a duplicate of acme/app#3.');
});

test('returns the verdict in the order of the request', async () => {
  const [there, back] = [await check(3, 4), await check(4, 3)];
  expect([back.issue1_id, back.issue2_id]).toEqual([there.issue2_id, there.issue1_id]);
  expect(back.decision).toBe(there.decision);
});

test('judges a page of pairs in one call, in its order, including pairs that are not stored', async () => {
  const pairs = [named(1, 2), named(4, 3), named(1, 5)];
  const { verdicts } = await caller.send('POST', '/issue-duplicates/check-batch', { pairs }, verdictList);
  expect(verdicts.map(({ issue1_id, issue2_id }) => ({ issue1_id, issue2_id }))).toEqual(pairs);
  expect(verdicts.map(({ decision }) => decision)).toEqual(['overlapping', 'duplicate', expect.any(String)]);
  expect(verdicts[2]?.decision).not.toBe('duplicate');
});

test('returns decisions of people with the verdict, with author and time', async () => {
  const payload = { ...named(1, 2), resolution: 'unrelated' };
  await caller.send('PATCH', '/issue-duplicates/execute-resolution', payload, z.unknown());
  const user = await caller.get('/auth/users/me', currentUser);
  const given = await check(1, 2);
  expect(given).toMatchObject({ resolution: 'unrelated', resolved_by: user.full_name ?? user.username });
  expect(given.resolution_at).not.toBeNull();
  const { duplicates } = await caller.get('/issue-duplicates?resolution=resolved&status=all', pairList);
  expect(duplicates).toHaveLength(1);
});

describe('is refused', () => {
  test('for an unknown issue and for one of another account, with the same error', async () => {
    const stranger = await winnow.newCaller();
    const missing = { issue1_id: ids[1], issue2_id: randomUUID() };
    const path = '/issue-duplicates/check-batch';
    expect(await stranger.fail('POST', path, 404, { pairs: [named(1, 2)] })).toEqual(
      await caller.fail('POST', path, 404, { pairs: [missing] }),
    );
  });

  test('for one issue twice, at its field', async () => {
    const fields = (path: string) => [{ path, message: 'The two issues must differ.' }];
    const pairs = [named(1, 2), named(1, 1)];
    const batch = await caller.fail('POST', '/issue-duplicates/check-batch', 422, { pairs });
    expect(batch.fields).toEqual(fields('pairs.1.issue2_id'));
    const path = `/issue-duplicates/check?issue1_id=${ids[1]}&issue2_id=${ids[1]}`;
    expect((await caller.fail('GET', path, 422)).fields).toEqual(fields('issue2_id'));
  });

  test.each([
    ['no pair', () => []],
    ['more than a hundred', () => Array.from({ length: MAX_VERDICTS + 1 }, () => named(1, 2))],
    ['an invalid id', () => [{ issue1_id: 'x', issue2_id: ids[1] }]],
  ])('for %s', async (_what, pairs) => {
    await caller.fail('POST', '/issue-duplicates/check-batch', 422, { pairs: pairs() });
  });
});

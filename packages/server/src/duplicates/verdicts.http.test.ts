import { randomUUID } from 'node:crypto';
import { currentUser } from '@winnow/contract/account';
import { pairList } from '@winnow/contract/duplicate';
import { similarIssues } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST, MAX_VERDICTS, verdict, verdictList } from '@winnow/contract/verdict';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
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
  { title: 'Printed invoices lack their logo', body: 'Only labels are printed, on each kind of paper.' },
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
  expect(given.reason).toContain('acme/app#5 states that it is a duplicate of acme/app#3.');
});

test('returns the verdict in the order of the request', async () => {
  const [there, back] = [await check(3, 4), await check(4, 3)];
  expect([back.issue1_id, back.issue2_id]).toEqual([there.issue2_id, there.issue1_id]);
  expect(back.decision).toBe(there.decision);
});

test('judges a page of pairs in one call and keeps their order, including pairs that are not stored', async () => {
  const pairs = [named(1, 2), named(4, 3), named(1, 5)];
  const { verdicts } = await caller.send('POST', '/issue-duplicates/check-batch', { pairs }, verdictList);
  expect(verdicts.map(({ issue1_id, issue2_id }) => ({ issue1_id, issue2_id }))).toEqual(pairs);
  expect(verdicts.map(({ decision }) => decision)).toEqual(['overlapping', 'duplicate', expect.any(String)]);
  expect(verdicts[2]?.decision).not.toBe('duplicate');
});

describe('a pair that is not stored', () => {
  const accountId = async () => {
    const [id = ''] = ids.slice(1);
    const { db } = winnow.database;
    const where = db.selectFrom('issue').select('account_id').where('id', '=', id);
    return (await where.executeTakeFirstOrThrow()).account_id;
  };
  const removePair = async (first: number, second: number) => {
    const [a = '', b = ''] = [ids[first] ?? '', ids[second] ?? ''].sort();
    const { db } = winnow.database;
    const { account_id: _, ...row } = await db
      .deleteFrom('pair')
      .where('account_id', '=', await accountId())
      .where('issue_a', '=', a)
      .where('issue_b', '=', b)
      .returningAll()
      .executeTakeFirstOrThrow();
    return row;
  };
  const restore = async (row: Awaited<ReturnType<typeof removePair>>) => {
    const { db } = winnow.database;
    await db
      .insertInto('pair')
      .values({ account_id: await accountId(), ...row })
      .execute();
  };

  test('gets the same probability and verdict as when it is stored', async () => {
    const stored = await check(3, 4);
    const row = await removePair(3, 4);
    const computed = await check(3, 4);
    await restore(row);
    expect({ ...computed, decided_at: null }).toEqual({ ...stored, decided_at: null });
    expect(computed.probability).toBe(row.probability);
  });

  test('is not called unrelated if its similarity is above the limit', async () => {
    const { issue1_id, issue2_id } = named(1, 3);
    const { results } = await caller.get(`/issues/${issue1_id}/similar?limit=20`, similarIssues);
    expect(results.find(({ issue }) => issue.id === issue2_id)?.similarity).toBeGreaterThan(0.03);
    const { probability, decision } = await check(1, 3);
    expect(probability).toBeGreaterThan(0);
    expect(decision).toBe('undecided');
  });

  test('is undecided, with the reason, while a text has no vector', async () => {
    const { db } = winnow.database;
    const unembedded = await db
      .selectFrom('issue')
      .selectAll()
      .where('id', '=', ids[1] ?? '')
      .executeTakeFirstOrThrow();
    const id = randomUUID();
    await db
      .insertInto('issue')
      .values({ ...unembedded, id, external_id: 'new', key: 'new#1' })
      .execute();
    const path = `/issue-duplicates/check?issue1_id=${ids[5]}&issue2_id=${id}`;
    const given = await caller.get(path, verdict);
    await db.deleteFrom('issue').where('id', '=', id).execute();
    expect(given).toMatchObject({
      decision: 'undecided',
      probability: null,
      reason: 'The texts have not been analyzed yet, so the two cannot be compared.',
    });
  });

  test('is scored by the next analysis after a person decided about it', async () => {
    const payload = { ...named(5, 6), resolution: 'unrelated' };
    await caller.send('PATCH', '/issue-duplicates/execute-resolution', payload, z.unknown());
    const { probability } = await check(5, 6);
    const stored = await eventually(
      async () => {
        const { duplicates } = await caller.get(
          '/issue-duplicates?resolution=resolved&status=all&similarity_threshold=0',
          pairList,
        );
        return duplicates.find((pair) => pair.probability === probability) ?? null;
      },
      { what: 'the scores of the pair' },
    );
    expect(stored.similarity).toBeGreaterThan(0);
  });
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

  test('for one issue given twice, with the name of the field', async () => {
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

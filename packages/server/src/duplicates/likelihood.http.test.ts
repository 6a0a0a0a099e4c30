import { duplicateStats, LIKELIHOOD, pairDetail, pairList } from '@winnow/contract/duplicate';
import { issueDetail } from '@winnow/contract/issue-detail';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../platform/testing/database.ts';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { issueIds, minutesAfterStart, whenCompared } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ISSUES = [
  { title: 'Export loses the time zone', body: 'The export of a shared calendar loses its time zone.' },
  { title: 'Export loses its time zone', body: 'The export of a shared calendar loses the time zone.' },
  { title: 'Add debug output of strings', body: 'The text is in UTF-8, see #99. Part of #1.' },
  { title: 'Add debug output of objects', body: 'The text is in UTF-8, see #99. Part of #1.' },
  { title: 'Add debug output of closures', body: 'The text is in UTF-8, see #99. Part of #1.' },
].map((issue, at) => ({ ...issue, created_at: minutesAfterStart(at) }));

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
afterAll(() => closeAll(winnow, github));

const list = (query: string) => caller.get(`/issue-duplicates?limit=100&${query}`, pairList);

test('lists pairs by probability, starting at the threshold', async () => {
  const { duplicates } = await list('order_by=probability&standing=to_decide');
  const probabilities = duplicates.map(({ probability }) => probability);
  expect(probabilities.length).toBeGreaterThan(1);
  expect(probabilities).toEqual([...probabilities].sort((a, b) => b - a));
  const [first = 0, second = 0] = probabilities;
  const mark = (first + second) / 2;
  expect((await list(`order_by=probability&probability_threshold=${mark}`)).total).toBe(1);
});

test('an issue lists its pairs by probability', async () => {
  const pairsOf = async () => (await caller.get(`/issues/${ids[3]}`, issueDetail)).pairs;
  const [mostSimilar, ...others] = await pairsOf();
  expect(others.length).toBeGreaterThan(0);
  const setProbability = (probability: number) =>
    winnow.database.db
      .updateTable('pair')
      .set({ probability })
      .where('id', '=', mostSimilar?.id ?? '')
      .execute();
  await setProbability(0.001);
  const listed = await pairsOf();
  await setProbability(mostSimilar?.probability ?? 0);
  expect(listed.at(-1)?.id).toBe(mostSimilar?.id);
});

test('lists and counts pairs above the account’s own threshold, until the default is restored', async () => {
  const queue = 'order_by=probability&standing=to_decide&above_mark=true';
  const stats = () =>
    caller.get(
      '/project-duplicate-stats?standing=to_decide&similarity_threshold=0&above_mark=true',
      duplicateStats,
    );
  const setQueueThreshold = (mark: number | null) => caller.call('PUT', '/issue-duplicates/mark', { mark });
  const shipped = await list(queue);
  expect(shipped.mark).toBe(LIKELIHOOD.queue);
  const [best] = shipped.duplicates;
  expect(best?.probability).toBeGreaterThanOrEqual(LIKELIHOOD.queue);
  const counted = (await stats()).projects[0]?.duplicates ?? 0;
  expect(counted).toBeGreaterThan(0);

  expect((await setQueueThreshold(0.05)).status).toBe(204);
  const low = await list(queue);
  expect(low.mark).toBeCloseTo(0.05);
  expect(low.total).toBeGreaterThan(shipped.total);
  expect((await stats()).projects[0]?.duplicates).toBeGreaterThan(counted);
  const other = await winnow.newCaller();
  expect((await other.get('/issue-duplicates', pairList)).mark).toBe(LIKELIHOOD.queue);

  expect((await setQueueThreshold(null)).status).toBe(204);
  expect((await list(queue)).total).toBe(shipped.total);
  for (const mark of [0, 1, -1, 'high']) {
    expect((await caller.call('PUT', '/issue-duplicates/mark', { mark })).status).toBe(422);
  }
});

test('lists a series as one row and dismisses it as a whole', async () => {
  const { duplicates } = await list('');
  const ofSeries = duplicates.filter(({ series }) => series !== null);
  expect(ofSeries.length).toBeGreaterThan(1);
  const series = ofSeries[0]?.series;
  expect(series).toMatchObject({ frame: 'Add debug output of …', issues: 3, dismissed: false });
  // The umbrella is the key mentioned most often. Names of standards and unknown numbers are
  // ignored.
  expect(series?.umbrella_key).toBe('acme/app#1');
  const together = await list('one_per_series=true');
  expect(together.total).toBe(duplicates.length - ofSeries.length + 1);

  const path = `/issue-duplicates/series/${series?.id}`;
  await caller.send('POST', `${path}/dismiss`, undefined, z.unknown());
  expect((await list('')).total).toBe(duplicates.length - ofSeries.length);
  expect((await list('dismissed=true')).duplicates[0]?.series?.dismissed).toBe(true);
  await caller.send('POST', `${path}/restore`, undefined, z.unknown());
  expect((await list('')).total).toBe(duplicates.length);
});

test('counts only the issues of the rows that the list displays', async () => {
  const stats = async (query: string) =>
    (
      await caller.get(
        `/project-duplicate-stats?standing=to_decide&similarity_threshold=0${query}`,
        duplicateStats,
      )
    ).projects[0]?.duplicates;
  const rows = (await list('standing=to_decide&one_per_series=true')).duplicates;
  const listed = new Set(rows.flatMap(({ issue1, issue2 }) => [issue1.id, issue2.id]));
  expect(await stats('&one_per_series=true')).toBe(listed.size);
  expect(await stats('')).toBe(ISSUES.length);
  expect(listed.size).toBe(ISSUES.length - 1);
});

test('lowers the probability immediately when the older issue is closed, and gives the reason', async () => {
  const { duplicates } = await list('order_by=probability');
  const pair = duplicates.find(({ issue1 }) => issue1.id === ids[1]);
  expect(pair).toMatchObject({ standing: 'both_open' });
  const resolution = { issue1_id: ids[1], issue2_id: ids[2], resolution: 'close_a' };
  await caller.send('PATCH', '/issue-duplicates/execute-resolution', resolution, z.unknown());
  const after = await caller.get(`/issue-duplicates/${pair?.id}`, pairDetail);
  expect(after.standing).toBe('repeats_closed');
  expect(after.probability).toBeLessThan(pair?.probability ?? 0);
  expect(after.similarity).toBeCloseTo(pair?.similarity ?? 0, 5);
  const reasons = [...after.likelihood.raises, ...after.likelihood.lowers].map(({ text }) => text);
  expect(reasons).toContain('acme/app#1 was closed after acme/app#2 was created.');
});

test('at startup, a server recomputes probabilities that an upgrade marked as outdated', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  const probabilities = async () =>
    (await db.selectFrom('pair').select('probability').orderBy('id').execute()).map((row) => row.probability);
  const before = await startWinnow({ database });
  const backlog = await newBacklog(before, ISSUES);
  await whenCompared(backlog.caller);
  const computed = await probabilities();
  await before.close();
  await db.updateTable('pair').set({ probability: 0.001, log_odds: -7 }).execute();
  await db.updateTable('analysis_state').set({ fingerprint: '' }).execute();
  const after = await startWinnow({ database });
  try {
    await eventually(async () => {
      const now = await probabilities();
      return computed.every((probability, at) => Math.abs(probability - (now[at] ?? 0)) < 1e-4);
    });
  } finally {
    await closeAll(after, backlog.github);
    await database.drop();
  }
});

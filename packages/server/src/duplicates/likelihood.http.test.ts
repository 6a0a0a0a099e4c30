import { pairDetail, pairList } from '@winnow/contract/duplicate';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../testing/caller.ts';
import { closeAll, newBacklog } from '../testing/desk.ts';
import { issueIds, minutesAfterStart, whenCompared } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const ISSUES = [
  { title: 'Export loses the time zone', body: 'The export of a shared calendar loses its time zone.' },
  { title: 'Export loses its time zone', body: 'The export of a shared calendar loses the time zone.' },
  { title: 'Add debug output of strings', body: 'Part of #9.' },
  { title: 'Add debug output of objects', body: 'Part of #9.' },
  { title: 'Add debug output of closures', body: 'Part of #9.' },
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

test('lists pairs by probability, from the threshold on', async () => {
  const { duplicates } = await list('order_by=probability&standing=to_decide');
  const probabilities = duplicates.map(({ probability }) => probability);
  expect(probabilities.length).toBeGreaterThan(1);
  expect(probabilities).toEqual([...probabilities].sort((a, b) => b - a));
  const [first = 0, second = 0] = probabilities;
  const mark = (first + second) / 2;
  expect((await list(`order_by=probability&probability_threshold=${mark}`)).total).toBe(1);
});

test('lists a series as one row and dismisses it as a whole', async () => {
  const { duplicates } = await list('');
  const ofSeries = duplicates.filter(({ series }) => series !== null);
  expect(ofSeries.length).toBeGreaterThan(1);
  const series = ofSeries[0]?.series;
  expect(series).toMatchObject({ frame: 'Add debug output of …', issues: 3, dismissed: false });
  const together = await list('one_per_series=true');
  expect(together.total).toBe(duplicates.length - ofSeries.length + 1);

  const path = `/issue-duplicates/series/${series?.id}`;
  await caller.send('POST', `${path}/dismiss`, undefined, z.unknown());
  expect((await list('')).total).toBe(duplicates.length - ofSeries.length);
  expect((await list('dismissed=true')).duplicates[0]?.series?.dismissed).toBe(true);
  await caller.send('POST', `${path}/restore`, undefined, z.unknown());
  expect((await list('')).total).toBe(duplicates.length);
});

test('lowers the probability at once when the older issue is closed, and gives the reason', async () => {
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

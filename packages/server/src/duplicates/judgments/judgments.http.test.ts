import { createdApiKey } from '@winnow/contract/api-key';
import { pairDetail, pairList, SIMILARITY } from '@winnow/contract/duplicate';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { closeAll, newBacklog } from '../../testing/backlog.ts';
import { type Caller, call } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { minutesAfterStart, whenCompared } from '../../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { findLabeledPairs } from './store.ts';

const ISSUES = [
  { title: 'Export loses the time zone', body: 'The export of a shared calendar loses its time zone.' },
  { title: 'Export loses its time zone', body: 'The export of a shared calendar loses the time zone.' },
  ...Array.from({ length: 10 }, (_, at) => ({
    title: `Calendar shows event ${at} in the wrong week`,
    body: `Open the calendar of week ${at}. The event is shown in another week.`,
  })),
].map((issue, at) => ({ ...issue, created_at: minutesAfterStart(at) }));

let winnow: RunningWinnow;
let github: GitHubEmulator;
let caller: Caller;

beforeAll(async () => {
  winnow = await startWinnow();
  ({ github, caller } = await newBacklog(winnow, ISSUES));
  await whenCompared(caller);
});
afterAll(() => closeAll(winnow, github));

const pairs = async () =>
  (await caller.get('/issue-duplicates?limit=100&order_by=probability', pairList)).duplicates;
const judge = (pairId: string, judgment: string) =>
  caller.call('PUT', `/issue-duplicates/${pairId}/judgment`, { judgment });

test('stores, changes and removes a judgment without writing to the tracker', async () => {
  const [pair] = await pairs();
  const path = `/issue-duplicates/${pair?.id}`;
  expect(pair?.judgment).toBeNull();
  for (const judgment of ['same', 'related', 'different'] as const) {
    expect((await judge(pair?.id ?? '', judgment)).status).toBe(204);
    expect((await caller.get(path, pairDetail)).judgment).toBe(judgment);
    expect((await pairs())[0]?.judgment).toBe(judgment);
  }
  await caller.send('DELETE', `${path}/judgment`, undefined, z.unknown());
  expect((await caller.get(path, pairDetail)).judgment).toBeNull();
  expect((await caller.get('/changes', z.object({ total: z.int() }))).total).toBe(0);
});

test('rejects other judgments and unknown pairs', async () => {
  const [pair] = await pairs();
  expect((await judge(pair?.id ?? '', 'identical')).status).toBe(422);
  expect((await judge(pair?.issue1.id ?? '', 'same')).status).toBe(404);
});

test('a pair that a person judged as different leaves the queue until the judgment is removed', async () => {
  const queue = async () =>
    (await caller.get('/issue-duplicates?limit=100&order_by=probability&standing=to_decide', pairList))
      .duplicates;
  const before = await queue();
  const [pair] = before;
  const path = `/issue-duplicates/${pair?.id}/judgment`;
  for (const judgment of ['same', 'related']) {
    expect((await judge(pair?.id ?? '', judgment)).status).toBe(204);
    expect(await queue()).toHaveLength(before.length);
  }
  expect((await judge(pair?.id ?? '', 'different')).status).toBe(204);
  expect((await queue()).map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id));
  expect((await pairs()).find(({ id }) => id === pair?.id)).toMatchObject({ standing: 'settled' });
  await caller.do('DELETE', path);
  expect((await queue()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));

  const key = { name: 'Agent', scopes: ['read', 'write'] };
  const { key: token } = await caller.send('POST', '/auth/api-keys', key, createdApiKey);
  await call(winnow.origin, 'PUT', `/api/v1${path}`, { token, body: { judgment: 'different' } });
  expect(await queue()).toHaveLength(before.length);
  await caller.do('DELETE', path);
});

test('only judgments by people count in the calibration', async () => {
  const key = { name: 'Agent', scopes: ['read', 'write'] };
  const { key: token } = await caller.send('POST', '/auth/api-keys', key, createdApiKey);
  const pair = (await pairs()).find(({ similarity }) => similarity < SIMILARITY.identical);
  const path = `/issue-duplicates/${pair?.id}/judgment`;
  const body = { judgment: 'same' };
  const counted = async () =>
    findLabeledPairs(winnow.database.db, await caller.accountId(), SIMILARITY.identical);
  expect((await call(winnow.origin, 'PUT', `/api/v1${path}`, { token, body })).status).toBe(204);
  expect((await caller.get(`/issue-duplicates/${pair?.id}`, pairDetail)).judgment).toBe('same');
  expect(await counted()).toHaveLength(0);
  expect((await judge(pair?.id ?? '', 'same')).status).toBe(204);
  expect(await counted()).toHaveLength(1);
  await caller.do('DELETE', path);
});

test('calibrates the probabilities, and restores them when judgments are removed', async () => {
  const before = await pairs();
  const judged = before.slice(1, 41);
  const [watched] = judged;
  expect(judged).toHaveLength(40);
  expect(watched?.probability).toBeLessThan(0.2);
  // Judges half of the unlikely pairs as the same, so that the calibration raises their
  // probabilities.
  await Promise.all(judged.map(({ id }, at) => judge(id, at % 2 === 0 ? 'same' : 'different')));
  await eventually(async () => {
    const now = (await pairs()).find(({ id }) => id === watched?.id);
    return now !== undefined && now.probability > 0.3;
  });
  const calibration = () =>
    winnow.database.db.selectFrom('pair_calibration').selectAll().executeTakeFirstOrThrow();
  await eventually(async () => (await calibration()).is_applied);
  expect(await pairs()).toHaveLength(before.length);
  // Waits, because reasons do not mention the calibration while a newer one is being applied.
  await eventually(async () => {
    const { likelihood } = await caller.get(`/issue-duplicates/${watched?.id}`, pairDetail);
    const adjusted = /^The probability is adjusted to the [34]\d judged pairs of this account\.$/;
    return likelihood.raises.some(({ text }) => adjusted.test(text));
  });

  // An interrupted run is completed by the next run.
  const probabilityOf = async (id?: string) =>
    (await pairs()).find((pair) => pair.id === id)?.probability ?? 0;
  const { db } = winnow.database;
  const calibrated = await probabilityOf(watched?.id);
  await db.updateTable('pair').set({ probability: 0.01 }).execute();
  await db.updateTable('pair_calibration').set({ is_applied: false }).execute();
  expect((await judge(watched?.id ?? '', 'same')).status).toBe(204);
  await eventually(async () => (await calibration()).is_applied);
  expect(await probabilityOf(watched?.id)).toBeCloseTo(calibrated, 1);

  // Changed judgments count like new judgments.
  const earlier = await probabilityOf(watched?.id);
  await Promise.all(judged.map(({ id }, at) => judge(id, at % 8 === 0 ? 'same' : 'different')));
  await eventually(async () => (await probabilityOf(watched?.id)) < earlier - 0.1);

  // A judgment dated before a fit but committed after it counts in the next run.
  const few = await probabilityOf(watched?.id);
  await eventually(async () => (await calibration()).is_applied);
  const same = before.slice(1, 31).map(({ id }) => id);
  const { numUpdatedRows } = await db
    .updateTable('pair_judgment')
    .from('pair')
    .set({ judgment: 'same' })
    .whereRef('pair_judgment.issue_a', '=', 'pair.issue_a')
    .whereRef('pair_judgment.issue_b', '=', 'pair.issue_b')
    .where('pair.id', 'in', same)
    .executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(30n);
  expect((await judge(watched?.id ?? '', 'same')).status).toBe(204);
  await eventually(async () => (await probabilityOf(watched?.id)) > few + 0.1);

  await Promise.all(judged.map(({ id }) => caller.call('DELETE', `/issue-duplicates/${id}/judgment`)));
  await eventually(async () => {
    const now = new Map((await pairs()).map(({ id, probability }) => [id, probability]));
    return (
      before.every(({ id, probability }) => Math.abs((now.get(id) ?? 0) - probability) < 1e-6) || undefined
    );
  });
});

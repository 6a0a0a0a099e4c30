import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOutWordModel } from '@winnow/analysis/testing/model-folders';
import { MAX_TITLE_WORDS, termsIn } from '@winnow/analysis/tokenize';
import { PAIRS_PER_ISSUE, SIMILARITY } from '@winnow/contract/duplicate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totalUsage } from '../billing/testing/total-usage.ts';
import { Engine } from '../issues/engine/engine.ts';
import { IssueIntake } from '../issues/intake.ts';
import { openSecrets } from '../platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { Sync } from '../sync/sync.ts';
import { readSampleBacklog } from '../trackers/sample/backlog/read-backlog.ts';
import { createSampleProvider } from '../trackers/sample/provider.ts';
import { Trackers } from '../trackers/service.ts';
import { Analysis } from './analyze.ts';
import { ensurePairs } from './store.ts';

let database: TestDatabase;
let engine: Engine;
let analysis: Analysis;
let trackers: Trackers;
let sync: Sync;
let trackerId: string;
const accountId = randomUUID();
const clock = { now: () => new Date() };
const progress: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db, connection } = database;
  engine = new Engine({ connection, logLevel: 'silent' });
  const publish = async (_account: string, event: { type: string; state?: string }) => {
    if (event.type === 'pairs_changed') progress.push(event.state ?? '');
  };
  trackers = new Trackers({
    expectConfirmedEmail: async () => undefined,
    db,
    secrets: await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir: tmpdir() }),
    now: clock.now,
    openProvider: (_type, connection) => createSampleProvider({ connection, db, clock }),
    requestSync: async () => undefined,
    onTrackerRemoved: (transaction, account, tracker) => intake.prepareRemoval(transaction, account, tracker),
  });
  const intake = new IssueIntake(clock.now);
  sync = new Sync({ db, trackers, intake, now: clock.now, publish });
  analysis = new Analysis({ db, engine, now: clock.now, publish });
  await db.insertInto('account').values({ id: accountId }).execute();
  trackerId = (await trackers.create(accountId, { name: 'Sample', type: 'sample' })).id;
  await sync.run(accountId, trackerId, AbortSignal.timeout(30_000));
  await analysis.run(accountId, AbortSignal.timeout(60_000));
});
afterAll(async () => {
  await engine.close();
  await database.drop();
});

function pairs() {
  return database.db.selectFrom('pair').selectAll().where('account_id', '=', accountId).execute();
}

async function idOf(key: string): Promise<string> {
  const row = await database.db
    .selectFrom('issue')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return row.id;
}

async function edit(key: string, title: string): Promise<void> {
  const [project_identifier, number] = key.split('#');
  await database.db
    .updateTable('sample_issue')
    .set({ title, updated_at: new Date() })
    .where('account_id', '=', accountId)
    .where('project_identifier', '=', project_identifier ?? '')
    .where('number', '=', Number(number))
    .execute();
  await sync.run(accountId, trackerId, AbortSignal.timeout(30_000));
}

test('gives similarity 1 only to pairs with identical texts', async () => {
  const identical = (await pairs()).filter((pair) => pair.similarity >= SIMILARITY.identical);
  const copies = readSampleBacklog()
    .flatMap(({ identifier, issues }) =>
      issues.map((issue) => ({ ...issue, key: `${identifier}#${issue.number}` })),
    )
    .filter((issue, _index, all) =>
      all.some(
        (other) => other.key !== issue.key && other.title === issue.title && other.body === issue.body,
      ),
    );
  expect(identical.length).toBe(copies.length / 2);
  expect(identical.every((pair) => pair.similarity === 1)).toBe(true);
});

test('finds at least 80 % of the true duplicates of the sample', async () => {
  const stored = await pairs();
  const truths = readSampleBacklog().flatMap(({ identifier, issues }) =>
    issues.flatMap((issue) =>
      issue.truth.duplicateOf === undefined
        ? []
        : [{ key: `${identifier}#${issue.number}`, original: issue.truth.duplicateOf }],
    ),
  );
  let found = 0;
  for (const { key, original } of truths) {
    const both = [await idOf(original), await idOf(key)];
    if (stored.some((pair) => both.includes(pair.issue_a) && both.includes(pair.issue_b))) found += 1;
  }
  expect(found / truths.length).toBeGreaterThanOrEqual(0.8);
});

test('stores no pair below the minimum similarity', async () => {
  const stored = await pairs();
  expect(stored.every((pair) => pair.similarity >= SIMILARITY.stored - 1e-6)).toBe(true);
});

test('limits the number of pairs of each issue within a project', async () => {
  const within = (await pairs()).filter((pair) => pair.same_project);
  const issues = await database.db
    .selectFrom('issue')
    .select('id')
    .where('account_id', '=', accountId)
    .execute();
  expect(within.length).toBeLessThanOrEqual(issues.length * PAIRS_PER_ISSUE * 2);
});

test('analyzes and counts every issue, and reports idle at the end', async () => {
  const { total } = await database.db
    .selectFrom('issue')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  expect(await totalUsage(database.db, accountId, 'issues_processed')).toBe(Number(total));
  expect(await totalUsage(database.db, accountId, 'issues_ingested')).toBe(0);
  expect(progress[0]).toBe('analyzing');
  expect(progress.at(-1)).toBe('idle');
});

test('changes nothing when run again without new issues', async () => {
  const before = await pairs();
  await analysis.run(accountId, AbortSignal.timeout(60_000));
  expect(await pairs()).toEqual(before);
});

test('finds duplicates in the sample that are not copies, even in different words', async () => {
  const rows = await database.db
    .selectFrom('pair')
    .innerJoin('issue as a', 'a.id', 'pair.issue_a')
    .innerJoin('issue as b', 'b.id', 'pair.issue_b')
    .select(['a.key as key_a', 'a.title as title_a', 'a.description as body_a', 'similarity', 'probability'])
    .select(['b.key as key_b', 'b.title as title_b', 'b.description as body_b', 'is_mutual_best'])
    .where('similarity', '<', SIMILARITY.identical)
    .orderBy('probability', 'desc')
    .limit(50)
    .execute();
  const verdicts = await engine.call('judge', {
    accountId,
    pairs: rows.map((row) => ({
      first: { key: row.key_a, title: row.title_a, body: row.body_a },
      second: { key: row.key_b, title: row.title_b, body: row.body_b },
      similarity: row.similarity,
      likelihood: { probability: row.probability, isMutualBest: row.is_mutual_best, seriesFrame: null },
    })),
  });
  const duplicates = rows.filter((_row, at) => verdicts[at]?.decision === 'duplicate');
  const shareOfCommonTerms = ({ title_a, title_b }: (typeof rows)[number]) => {
    const [first, second] = [title_a, title_b].map((title) => termsIn(title, MAX_TITLE_WORDS));
    const all = new Set([...(first ?? []), ...(second ?? [])]);
    return [...all].filter((term) => first?.includes(term) && second?.includes(term)).length / all.size;
  };
  expect(duplicates.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...duplicates.map(shareOfCommonTerms))).toBeLessThan(0.7);
});

test('a new process loads all stored vectors and embeds no issue again', async () => {
  const later = new Engine({ connection: database.connection, logLevel: 'silent' });
  const status = await later.call('refresh', { accountId }).finally(() => later.close());
  expect(status.documents).toBeGreaterThan(100);
  expect(status.withoutVector).toEqual([]);
});

test('replaces the pairs of a changed issue, except pairs with a decision', async () => {
  const [copy] = (await pairs()).filter((pair) => pair.similarity === 1);
  if (!copy) throw new Error('The sample has no identical pair.');
  const changed = await database.db
    .selectFrom('issue')
    .select(['key', 'title'])
    .where('account_id', '=', accountId)
    .where('id', '=', copy.issue_b)
    .executeTakeFirstOrThrow();
  const [dismissed, undone] = (await pairs()).filter(
    (pair) => [pair.issue_a, pair.issue_b].includes(copy.issue_b) && pair.id !== copy.id,
  );
  if (!dismissed || !undone) throw new Error('The issue is in no two other pairs.');
  await database.db.updateTable('pair').set({ dismissed: true }).where('id', '=', dismissed.id).execute();
  await database.db.updateTable('pair').set({ undone: true }).where('id', '=', undone.id).execute();
  await edit(changed.key, 'Quarterly invoices show the wrong currency symbol');
  await analysis.run(accountId, AbortSignal.timeout(60_000));
  const after = await pairs();
  expect(after.find((pair) => pair.id === copy.id)?.similarity ?? 0).toBeLessThan(1);
  for (const { id } of [dismissed, undone]) expect(after.some((pair) => pair.id === id)).toBe(true);
  await edit(changed.key, changed.title);
  await analysis.run(accountId, AbortSignal.timeout(60_000));
  const restored = (await pairs()).find(
    (pair) => pair.issue_a === copy.issue_a && pair.issue_b === copy.issue_b,
  );
  expect(restored?.similarity).toBe(1);
});

test('returns the nearest issues from the index and applies filters before the limit', async () => {
  const [copy] = (await pairs()).filter((pair) => pair.similarity === 1);
  if (!copy) throw new Error('The sample has no identical pair.');
  const call = (createdBeforeMs: number | null, limit: number) =>
    engine.call('similar', {
      accountId,
      issueId: copy.issue_b,
      filter: { createdBeforeMs, state: null, projectIds: null, limit },
    });
  const nearest = await call(null, 50);
  expect(nearest.results[0]).toEqual({ issueId: copy.issue_a, similarity: 1 });
  expect(nearest.results.some(({ issueId }) => issueId === copy.issue_b)).toBe(false);
  expect((await call(0, 10)).results).toEqual([]);
});

test('compares words while the files of the model are missing, and meaning when they are back', async () => {
  const { db, connection } = database;
  const folder = await mkdtemp(join(tmpdir(), 'winnow-model-'));
  await layOutWordModel(folder, 24);
  const [tokenizer, elsewhere] = [join(folder, 'tokenizer.json'), join(folder, 'elsewhere.json')];
  const other = new Engine({ connection, logLevel: 'silent', embeddingModelDir: folder, modelIdleMs: 0 });
  const byOther = new Analysis({ db, engine: other, now: clock.now, publish: async () => undefined });
  const run = () => byOther.run(accountId, AbortSignal.timeout(60_000));
  const search = async () => {
    const filter = { projectIds: null, state: null, issueIds: null };
    const text = { title: 'Export is empty', body: '' };
    return other.call('search', { accountId, text, filter, limit: 5, floor: 0 });
  };
  const due = async () => (await other.call('refresh', { accountId })).toAnalyze.length;
  const stored = async () =>
    (await db.selectFrom('issue_vector').select('fingerprint').execute()).filter(({ fingerprint }) =>
      fingerprint.startsWith('custom:'),
    ).length;
  try {
    await db.updateTable('issue').set({ analyzed_hash: null }).execute();
    const all = await due();
    await rename(tokenizer, elsewhere);
    expect(await run()).toEqual({ isComplete: false });
    expect(await due()).toBe(all);
    expect(await stored()).toBe(0);
    expect(await pairs()).not.toEqual([]);
    const state = await db.selectFrom('analysis_state').select(['state', 'notice']).execute();
    expect(state).toEqual([{ state: 'idle', notice: expect.stringContaining('has no tokenizer.json') }]);
    const byWords = await search();
    expect(byWords?.results.length).toBeGreaterThan(0);
    expect(byWords?.notice).toMatch(/^Only words were compared\. .* has no tokenizer\.json/);
    expect(`${byWords?.notice} ${state[0]?.notice}`).not.toContain(folder);

    await rename(elsewhere, tokenizer);
    expect(await run()).toEqual({ isComplete: true });
    expect([await due(), await stored()]).toEqual([0, all]);
    expect((await search())?.notice).toBeNull();
  } finally {
    await other.close();
    await rm(folder, { recursive: true });
  }
});

test('scores, in batches, the pairs that people decided about', async () => {
  const { db } = database;
  await analysis.run(accountId, AbortSignal.timeout(60_000));
  const issues = await db
    .selectFrom('issue')
    .select('id')
    .where('account_id', '=', accountId)
    .where('issue_type', '<>', 'change_request')
    .orderBy('id')
    .execute();
  const ids = issues.map(({ id }) => id);
  await db.transaction().execute(async (transaction) => {
    for (const [at, id] of ids.slice(0, 8).entries()) {
      await ensurePairs(transaction, accountId, id, ids.slice(at + 1), clock.now());
    }
  });
  const unscored = (await pairs()).filter((pair) => pair.snapshot_version === 0).length;
  const asked: number[] = [];
  const call: Engine['call'] = (name, params) => {
    if (name === 'scorePairs' && 'pairs' in params) asked.push(params.pairs.length);
    return engine.call(name, params);
  };
  const counting = new Analysis({
    db,
    engine: Object.assign(Object.create(engine), { call }),
    now: clock.now,
    publish: async () => undefined,
  });
  await counting.run(accountId, AbortSignal.timeout(60_000));
  expect(asked.length).toBeGreaterThan(1);
  expect(Math.max(...asked)).toBe(500);
  expect(asked.reduce((sum, count) => sum + count, 0)).toBe(unscored);
  expect((await pairs()).filter((pair) => pair.snapshot_version === 0)).toEqual([]);
});

test('removes the pairs and index entries of a deleted tracker', async () => {
  await trackers.delete(accountId, trackerId);
  await analysis.run(accountId, AbortSignal.timeout(60_000));
  expect(await pairs()).toEqual([]);
  expect((await engine.call('refresh', { accountId })).documents).toBe(0);
});

import { randomUUID } from 'node:crypto';
import { findSeries, type Series } from '@winnow/analysis/series';
import { SIMILARITY } from '@winnow/contract/duplicate';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../platform/testing/database.ts';
import type { Db } from '../schema/tables.ts';
import { storeJudgment } from './judgments/store.ts';
import { dismissSeries, storeSeries } from './series-store.ts';
import { findPair, listPairs, type PairRow, refreshStanding, upsertScores } from './store.ts';

const database = await createTestDatabase();
const { db } = database;
let accountId: string;
/** Ids of the account's issues. Every two of them form a pair. */
let ids: string[];

beforeEach(async () => {
  accountId = randomUUID();
  ids = Array.from({ length: 5 }, () => randomUUID());
  await insertIssues(db, accountId, ids);
  const pairs = ids.flatMap((issueId, at) => ids.slice(at + 1).map((otherId) => [issueId, otherId] as const));
  await addPairs(pairs);
});
afterAll(() => database.drop());

test('a pair belongs to a series only while both issues belong to it', async () => {
  await store([seriesOf('add output of …', ids.slice(0, 3))]);
  expect(await pairsInSeries()).toHaveLength(3);
  await store([seriesOf('add output of …', ids.slice(0, 2))]);
  expect(await pairsInSeries()).toHaveLength(1);
  await store([seriesOf('add output of …', ids.slice(1, 4)), seriesOf('remove …', [0, 4].map(idAt))]);
  const bySeries = Map.groupBy(await pairsInSeries(), ({ series_id }) => series_id);
  expect([...bySeries.values()].map(({ length }) => length).sort()).toEqual([1, 3]);
  await store([]);
  expect(await pairsInSeries()).toHaveLength(0);
});

test('a pair that a person judged as different is settled, even after it is scored again', async () => {
  const [one = '', other = ''] = ids.slice(0, 2).sort();
  const pair = { issue_a: one, issue_b: other };
  const judge = (judgment: 'same' | 'different', type: 'user' | 'api_key') =>
    db.transaction().execute(async (tx) => {
      await storeJudgment(tx, accountId, pair, { judgment, by: { type, name: 'Ada' }, at: new Date() });
      await refreshStanding(tx, accountId, pair);
    });
  const standing = async () => (await findPair(db, accountId, one, other))?.standing;
  await judge('different', 'api_key');
  expect(await standing()).toBe('both_open');
  await judge('different', 'user');
  expect(await standing()).toBe('settled');
  await addPairs([[one, other]]);
  expect(await standing()).toBe('settled');
  await judge('same', 'user');
  expect(await standing()).toBe('both_open');
});

test('pairs of unchanged series and pairs without a series are not written again', async () => {
  const series = [seriesOf('add output of …', ids.slice(0, 3))];
  await store(series);
  const before = await rowVersions();
  await store(series);
  expect(await rowVersions()).toEqual(before);
});

test('a dismissed series keeps its pairs dismissed, and dismisses the pairs of a new issue', async () => {
  await store([seriesOf('add output of …', ids.slice(0, 3))]);
  await dismissOnlySeries();
  await store([seriesOf('add output of …', ids.slice(0, 4))]);
  const found = await pairsInSeries();
  expect(found).toHaveLength(6);
  expect(found.every(({ dismissed }) => dismissed)).toBe(true);
});

test('a dismissed series stays dismissed when new issues shorten its frame', async () => {
  const titles = ['strings', 'objects', 'enums'].map((what) => `Add debug output of ${what}`);
  const [before] = await storeTitles(titles);
  await dismissOnlySeries();
  const [grown, ...others] = await storeTitles([...titles, 'Add debug output for closures']);
  expect([before?.key, grown?.key]).toEqual(['add debug output of …', 'add debug output …']);
  expect(others).toEqual([]);
  const found = await pairsInSeries();
  expect(found).toHaveLength(6);
  expect(found.every(({ dismissed }) => dismissed)).toBe(true);
});

test('a new series is not dismissed if only few of its issues come from a dismissed series', async () => {
  await store([seriesOf('add output of …', ids.slice(0, 2))]);
  await dismissOnlySeries();
  await store([seriesOf('add output …', ids.slice(0, 4))]);
  const found = await pairsInSeries();
  expect(found).toHaveLength(6);
  expect(found.filter(({ dismissed }) => dismissed)).toHaveLength(1);
});

test('pairs with equal texts or titles belong to no series, and are not dismissed with one', async () => {
  await addPairs([[idAt(0), idAt(1)]], SIMILARITY.identical);
  await db.updateTable('issue').set({ title: 'ISSUE 3' }).where('id', '=', idAt(3)).execute();
  const series = [seriesOf('add output of …', ids.slice(0, 4))];
  await store(series);
  expect(await pairsInSeries()).toHaveLength(4);
  await dismissOnlySeries();
  await store(series);
  const copies = await Promise.all([
    findPair(db, accountId, idAt(0), idAt(1)),
    findPair(db, accountId, idAt(2), idAt(3)),
  ]);
  expect(copies.map((pair) => [pair?.series_id, pair?.dismissed])).toEqual([
    [null, false],
    [null, false],
  ]);
});

test.each(['project', 'account'] as const)(
  'the likeliest pair of the chosen projects represents a series, with scope %s',
  async (scope) => {
    await store([seriesOf('add output of …', ids)]);
    const { project_a: own } = await findPairOf(0, 1);
    const { id: otherProject } = await addProject(own);
    for (const [one, other, probability] of [
      [0, 1, 0.9],
      [1, 2, 0.8],
      [2, 3, 0.7],
      [3, 4, 0.6],
    ] as const) {
      const { id } = await findPairOf(one, other);
      const moved = probability < 0.8 ? { project_a: otherProject, project_b: otherProject } : {};
      await db
        .updateTable('pair')
        .set({ ...moved, probability })
        .where('id', '=', id)
        .execute();
    }
    const listed = async (projectIds: string[]) => {
      const filter = { ...LISTED, scope, projectIds };
      const { rows, total } = await listPairs(db, accountId, filter, { limit: 10, skip: 0 });
      expect(total).toBe(rows.length);
      return rows.map(({ id }) => id);
    };
    expect(await listed([otherProject])).toEqual([(await findPairOf(2, 3)).id]);
    expect(await listed([own])).toEqual([(await findPairOf(0, 1)).id]);
    expect(await listed([])).toEqual([(await findPairOf(0, 1)).id]);
  },
);

test('series of another account stay unchanged', async () => {
  await store([seriesOf('add output of …', ids.slice(0, 3))]);
  const before = await pairsInSeries();
  const other = randomUUID();
  await db.insertInto('account').values({ id: other }).execute();
  await db.transaction().execute((tx) => storeSeries(tx, other, []));
  expect(await pairsInSeries()).toEqual(before);
});

/** Filters of a list that displays each series as one row. */
const LISTED = {
  status: 'all',
  resolution: 'all',
  threshold: 0,
  probability: 0.5,
  standing: undefined,
  order: 'probability',
  onePerSeries: true,
  query: undefined,
  dismissed: false,
  undone: undefined,
} as const;

async function findPairOf(one: number, other: number): Promise<PairRow> {
  const pair = await findPair(db, accountId, idAt(one), idAt(other));
  if (!pair) throw new Error('The two issues are no pair.');
  return pair;
}

/** Adds a project to the tracker of an existing project. */
async function addProject(besideId: string): Promise<{ id: string }> {
  const beside = await db
    .selectFrom('project')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', besideId)
    .executeTakeFirstOrThrow();
  const project = { ...beside, id: randomUUID(), external_id: 'web', identifier: 'acme/web' };
  await db.insertInto('project').values(project).execute();
  return project;
}

const idAt = (at: number): string => ids[at] ?? '';

function seriesOf(frame: string, members: string[]): Series {
  return { frame, key: frame, members, umbrella: null };
}

function store(series: Series[]): Promise<void> {
  return db.transaction().execute((tx) => storeSeries(tx, accountId, series));
}

/** Gives the first issues these titles, and stores the series that they form. */
async function storeTitles(titles: readonly string[]): Promise<Series[]> {
  const series = findSeries(
    titles.map((title, at) => ({ id: idAt(at), title, author: 'ada', umbrella: null })),
  );
  await store(series);
  return series;
}

async function dismissOnlySeries(): Promise<void> {
  const [first] = await pairsInSeries();
  await db.transaction().execute((tx) => dismissSeries(tx, accountId, first?.series_id ?? '', true));
}

function pairsInSeries() {
  return db
    .selectFrom('pair')
    .select(['id', 'series_id', 'dismissed'])
    .where('account_id', '=', accountId)
    .where('series_id', 'is not', null)
    .orderBy('id')
    .execute();
}

/**
 * Returns the row version of each stored pair. PostgreSQL changes it whenever the row is written.
 */
async function rowVersions(): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`
    select id || ' ' || xmin as version from pair where account_id = ${accountId} order by id
  `.execute(db);
  return rows.map(({ version }) => version);
}

function addPairs(pairs: (readonly [string, string])[], similarity = 0.5): Promise<void> {
  const scores = pairs.map(([issueId, otherId]) => {
    return { issueId, otherId, similarity, logOdds: 0, isMutualBest: false };
  });
  const run = { startedAt: new Date(), snapshotVersion: 1 };
  return db.transaction().execute((tx) => upsertScores(tx, accountId, run, scores));
}

async function insertIssues(db: Db, accountId: string, issueIds: readonly string[]): Promise<void> {
  await db.insertInto('account').values({ id: accountId }).execute();
  const tracker = {
    account_id: accountId,
    id: randomUUID(),
    name: 'T',
    tracker_type: 'sample' as const,
    url: '',
  };
  await db.insertInto('tracker').values(tracker).execute();
  const owner = { account_id: accountId, tracker_id: tracker.id };
  const organization = { ...owner, id: randomUUID(), identifier: 'acme', name: 'Acme' };
  await db.insertInto('organization').values(organization).execute();
  const project = { ...owner, organization_id: organization.id, id: randomUUID(), external_id: 'app' };
  await db
    .insertInto('project')
    .values({ ...project, identifier: 'acme/app', name: 'app' })
    .execute();
  await sql`
    insert into issue (account_id, id, tracker_id, project_id, external_id, key, title, description, status,
                       state, issue_type, labels, assignees, url, is_duplicate, comments_count, created_at,
                       updated_at, content_hash, revision)
    select ${accountId}, id, ${tracker.id}, ${project.id}, id::text, 'acme/app#' || number, 'Issue ' || number, '', 'open',
           'opened', 'issue', '{}', '{}', '', false, 0, now(), now(), md5(id::text) || md5(id::text), 1
    from unnest(${issueIds}::uuid[]) with ordinality as issue (id, number)
  `.execute(db);
}

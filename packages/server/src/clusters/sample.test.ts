import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { CLUSTER_PROBABILITY } from '@winnow/contract/cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analysis } from '../duplicates/analyze.ts';
import { Engine } from '../issues/engine/engine.ts';
import { IssueIntake } from '../issues/intake.ts';
import { Issues } from '../issues/service.ts';
import { openSecrets } from '../platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { Sync } from '../sync/sync.ts';
import { readSampleBacklog } from '../trackers/sample/backlog/read-backlog.ts';
import { createSampleProvider } from '../trackers/sample/provider.ts';
import { Trackers } from '../trackers/service.ts';
import { Clusters } from './service.ts';

let database: TestDatabase;
let engine: Engine;
const accountId = randomUUID();
const clock = { now: () => new Date() };
/** Keys of the issues in each cluster that lists display by default. */
let keysOfClusters: string[][];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db, connection } = database;
  engine = new Engine({ connection, logLevel: 'silent' });
  const publish = async () => undefined;
  const intake = new IssueIntake(clock.now);
  const trackers = new Trackers({
    expectConfirmedEmail: async () => undefined,
    db,
    secrets: await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir: tmpdir() }),
    now: clock.now,
    openProvider: (_type, connected) => createSampleProvider({ connection: connected, db, clock }),
    requestSync: async () => undefined,
    onTrackerRemoved: async () => undefined,
  });
  const sync = new Sync({ db, trackers, intake, now: clock.now, publish });
  await db.insertInto('account').values({ id: accountId }).execute();
  const tracker = await trackers.create(accountId, { name: 'Sample', type: 'sample' });
  await sync.run(accountId, tracker.id, AbortSignal.timeout(30_000));
  const analysis = new Analysis({ db, engine, now: clock.now, publish });
  await analysis.run(accountId, AbortSignal.timeout(120_000));
  const clusters = new Clusters({
    db,
    issues: new Issues(db),
    now: clock.now,
    publish,
    onGrown: async () => undefined,
    listBusy: async () => new Set(),
    rejectProposals: async () => [],
  });
  await clusters.update(accountId, AbortSignal.timeout(30_000));
  const members = await db
    .selectFrom('cluster_member')
    .innerJoin('issue', (join) =>
      join.onRef('issue.account_id', '=', 'cluster_member.account_id').onRef('issue.id', '=', 'issue_id'),
    )
    .select(['cluster_id', 'issue.key'])
    .innerJoin('cluster', (join) =>
      join
        .onRef('cluster.account_id', '=', 'cluster_member.account_id')
        .onRef('cluster.id', '=', 'cluster_id'),
    )
    .where('cluster_member.account_id', '=', accountId)
    .where('cluster.probability', '>=', CLUSTER_PROBABILITY)
    .execute();
  const grouped = Map.groupBy(members, ({ cluster_id }) => cluster_id);
  keysOfClusters = [...grouped.values()].map((group) => group.map(({ key }) => key).sort());
});
afterAll(async () => {
  await engine.close();
  await database.drop();
});

/** The original of each issue in the sample, by issue. An original is its own original. */
const originalOf = new Map(
  readSampleBacklog().flatMap(({ identifier, issues }) =>
    issues.map(({ number, truth }) => {
      const key = `${identifier}#${number}`;
      return [key, truth.duplicateOf ?? key] as const;
    }),
  ),
);

test('the sample shows three clusters of 4 to 6 issues about one problem, one of them in two projects', () => {
  const piles = keysOfClusters.filter((keys) => keys.length >= 4);
  expect(piles.map((keys) => [...new Set(keys.map((key) => originalOf.get(key)))]).sort()).toEqual([
    ['skua/sync#1275'],
    ['skua/sync#1286'],
    ['skua/web#617'],
  ]);
  for (const keys of piles) expect(keys.length).toBeLessThanOrEqual(6);
  const projectsOf = (keys: readonly string[]) => new Set(keys.map((key) => key.split('#')[0])).size;
  expect(piles.filter((keys) => projectsOf(keys) === 2)).toHaveLength(1);
});

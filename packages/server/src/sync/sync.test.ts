import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { LiveEvent } from '@winnow/contract/live';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IssueIntake } from '../issues/intake.ts';
import { openSecrets } from '../platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { readSampleBacklog } from '../trackers/sample/backlog/read-backlog.ts';
import { createSampleProvider } from '../trackers/sample/provider.ts';
import { Trackers } from '../trackers/service.ts';
import { Sync } from './sync.ts';

const clock = { now: () => new Date() };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the sample backlog is counted exactly from the start, over all projects, and ends at its total', async () => {
  const { db } = database;
  const accountId = randomUUID();
  await db.insertInto('account').values({ id: accountId }).execute();
  const trackers = new Trackers({
    expectConfirmedEmail: async () => undefined,
    db,
    secrets: await openSecrets({ secretKey: randomBytes(32).toString('hex'), dataDir: tmpdir() }),
    now: clock.now,
    openProvider: (_type, connection) => createSampleProvider({ connection, db, clock }),
    requestSync: async () => undefined,
    onTrackerRemoved: async () => undefined,
  });
  const { id } = await trackers.create(accountId, { name: 'Sample', type: 'sample' });
  const published: LiveEvent[] = [];
  const publish = async (_account: string, event: LiveEvent) => void published.push(event);
  const sync = new Sync({ db, trackers, intake: new IssueIntake(clock.now), now: clock.now, publish });

  expect(await sync.run(accountId, id, AbortSignal.timeout(20_000))).toMatchObject({ state: 'done' });
  const progress = published.flatMap((event) =>
    event.type === 'sync_progress' && event.progress !== null ? [event.progress] : [],
  );
  const total = readSampleBacklog().reduce((sum, { issues }) => sum + issues.length, 0);
  expect(new Set(progress.map((step) => step.total))).toEqual(new Set([total]));
  const done = progress.map((step) => step.done);
  expect(done).toEqual([...new Set(done)].sort((one, other) => one - other));
  expect(done.length).toBeGreaterThan(2);
  expect(done.at(-1)).toBe(total);

  published.length = 0;
  await sync.run(accountId, id, AbortSignal.timeout(20_000));
  expect(published.flatMap((event) => (event.type === 'sync_progress' ? [event.progress] : []))).toEqual([
    null,
    null,
  ]);
});

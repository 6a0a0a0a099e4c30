import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../clock.ts';
import { openLog } from '../log.ts';
import { migrate } from '../migrate.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../testing/database.ts';
import { dailyJob, retention } from './daily.ts';
import { Jobs } from './jobs.ts';

const log = openLog({ level: 'silent' });
const sweep = dailyJob('sweep');

let database: TestDatabase<unknown>;
let jobs: Jobs;
beforeAll(async () => {
  database = await createEmptyTestDatabase();
  const { connection, db } = database;
  await migrate({ connection, migrations: {}, log });
  jobs = new Jobs({ db, connection, log, exclusive: true });
});
afterEach(() => jobs.stop());
afterAll(() => database.drop());

test('daily work runs, and is queued once for the next day however often it is requested', async () => {
  const began = new Date();
  const done = Promise.withResolvers<void>();
  const now = () => began;
  await sweep.resume(jobs, now);
  await sweep.resume(jobs, now);
  await jobs.start({ handlers: [sweep.handled({ jobs, now }, async () => done.resolve())], concurrency: 1 });
  await done.promise;
  await jobs.stop();
  await sweep.resume(jobs, now);
  const { rows } = await sql`select key, task_identifier, run_at from graphile_worker.jobs`.execute(
    database.db,
  );
  const runAt = new Date(began.getTime() + DAY_MS);
  expect(rows).toEqual([{ key: 'sweep', task_identifier: 'sweep:v1', run_at: runAt }]);
});

test('rows older than the retention period are removed', async () => {
  const now = () => new Date('2030-05-20T08:00:00Z');
  const removed = Promise.withResolvers<Date>();
  const removal = retention('remove-old', {
    jobs,
    now,
    keptDays: 30,
    removeBefore: async (before) => removed.resolve(before),
  });
  await removal.handler.run(
    {},
    { signal: AbortSignal.timeout(5_000), jobId: '1', attempt: 1, isLastAttempt: false },
  );
  expect(await removed.promise).toEqual(new Date('2030-04-20T08:00:00Z'));
});

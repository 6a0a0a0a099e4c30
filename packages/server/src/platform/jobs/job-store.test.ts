import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openLog } from '../log.ts';
import { migrate } from '../migrate.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../testing/database.ts';
import { defineJob } from './job.ts';
import { type Outcome, settleJob, takeJob } from './job-store.ts';
import { Jobs } from './jobs.ts';

const log = openLog({ level: 'silent' });
const errand = defineJob({ name: 'errand', version: 1, payload: z.object({}) });
const DONE: Outcome = { kind: 'done' };
const INTERRUPTED: Outcome = { kind: 'interrupted', pauseMs: 0 };

let database: TestDatabase<unknown>;
let jobs: Jobs;
beforeAll(async () => {
  database = await createEmptyTestDatabase();
  const { connection, db } = database;
  await migrate({ connection, migrations: {}, log });
  jobs = new Jobs({ db, connection, log, exclusive: false });
});
afterEach(async () => {
  await sql`truncate graphile_worker._private_jobs`.execute(database.db);
  await sql`delete from graphile_worker._private_job_queues`.execute(database.db);
});
afterAll(() => database.drop());

function take(workerId: string, except: readonly string[] = []) {
  return takeJob(database.db, workerId, [errand.identifier], except);
}

async function holders(): Promise<unknown[]> {
  const { rows } = await sql`
    select job.locked_by as job, queue.locked_by as queue from graphile_worker._private_jobs as job
    left join graphile_worker._private_job_queues as queue on queue.id = job.job_queue_id
  `.execute(database.db);
  return rows;
}

test.each([
  ['done', DONE],
  ['failed', { kind: 'failed', reason: 'No.', isForGood: true } as const],
  ['interrupted', INTERRUPTED],
])('a worker cannot settle a job that another worker has taken over: %s', async (_, outcome) => {
  await jobs.enqueue(errand, {}, { queue: 'q' });
  const id = (await take('first'))?.id ?? '';
  await settleJob(database.db, 'first', id, INTERRUPTED);
  expect((await take('second'))?.id).toBe(id);
  await settleJob(database.db, 'first', id, outcome);
  expect(await holders()).toEqual([{ job: 'second', queue: 'second' }]);
});

test('a job that was released, although the response was lost, is not run by the worker that had taken it', async () => {
  await jobs.enqueue(errand, {});
  const id = (await take('first'))?.id ?? '';
  await settleJob(database.db, 'first', id, INTERRUPTED);
  expect(await take('first', [id])).toBeNull();
  expect((await take('first'))?.attempts).toBe(1);
});

test('a null character in a failure reason, which the database cannot store, is removed', async () => {
  await jobs.enqueue(errand, {});
  const id = (await take('first'))?.id ?? '';
  await settleJob(database.db, 'first', id, { kind: 'failed', reason: 'a\u0000b', isForGood: false });
  const { rows } = await sql`select last_error from graphile_worker._private_jobs`.execute(database.db);
  expect(rows).toEqual([{ last_error: 'ab' }]);
});

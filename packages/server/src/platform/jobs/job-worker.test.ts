import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../testing/eventually.ts';
import { openLog } from '../log.ts';
import { migrate } from '../migrate.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../testing/database.ts';
import { defineJob, handle, JobPostponed } from './job.ts';
import { JobWorker, type JobWorkerOptions } from './job-worker.ts';
import { Jobs } from './jobs.ts';

const log = openLog({ level: 'silent' });
const errand = defineJob({ name: 'errand', version: 1, payload: z.object({ name: z.string() }) });

let database: TestDatabase<unknown>;
let jobs: Jobs;
beforeAll(async () => {
  database = await createEmptyTestDatabase();
  await migrate({ connection: database.connection, migrations: {}, log });
  jobs = new Jobs({ db: database.db, connection: database.connection, log, exclusive: false });
});
afterAll(() => database.drop());

async function startWorker(
  work: (name: string) => Promise<void>,
  options: Partial<JobWorkerOptions> = {},
): Promise<JobWorker> {
  const worker = new JobWorker({
    connection: database.connection,
    log,
    exclusive: false,
    concurrency: 2,
    handlers: [handle(errand, ({ name }) => work(name))],
    ...options,
  });
  onTestFinished(() => worker.stop());
  await worker.start();
  return worker;
}

/**
 * Runs `work` while a lock blocks every poll for jobs. `blocked` returns the connection that waits
 * for the lock.
 */
async function whileNobodyCanLook(
  work: (transaction: Transaction<unknown>, blocked: () => Promise<number>) => Promise<void>,
): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    await sql`lock table graphile_worker._private_tasks in access exclusive mode`.execute(transaction);
    await work(transaction, async () => {
      for (;;) {
        const { rows } = await sql<{ pid: number }>`
          select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        `.execute(transaction);
        if (rows[0] !== undefined) return rows[0].pid;
      }
    });
  });
}

async function terminate(pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid})`.execute(database.db);
}

test('long jobs leave slots for others, which start immediately', async () => {
  const voyage = defineJob({ name: 'voyage', version: 1, isLong: true, payload: z.object({}) });
  const end = Promise.withResolvers<void>();
  const voyages: string[] = [];
  const errands = Promise.withResolvers<void>();
  await startWorker(async () => undefined, {
    concurrency: 3,
    maxLongJobs: 2,
    handlers: [
      handle(voyage, async (_, { jobId }) => {
        voyages.push(jobId);
        await end.promise;
      }),
      handle(errand, async () => errands.resolve()),
    ],
  });
  for (let count = 0; count < 4; count += 1) await jobs.enqueue(voyage, {});
  await jobs.enqueue(errand, { name: 'quick' });
  await errands.promise;
  expect(voyages).toHaveLength(2);
  end.resolve();
  await eventually(() => voyages.length === 4);
});

test('jobs that mostly wait have dedicated slots, which no other job uses and which they do not exceed', async () => {
  const vigil = defineJob({
    name: 'vigil',
    version: 1,
    slots: { maxConcurrent: 3, shares: [] },
    payload: z.object({}),
  });
  const end = Promise.withResolvers<void>();
  const begun = { vigils: 0, errands: 0 };
  await startWorker(async () => undefined, {
    concurrency: 1,
    handlers: [
      handle(vigil, async () => {
        begun.vigils += 1;
        await end.promise;
      }),
      handle(errand, async () => {
        begun.errands += 1;
        await end.promise;
      }),
    ],
  });
  for (let count = 0; count < 5; count += 1) await jobs.enqueue(vigil, {});
  await eventually(() => begun.vigils === 3);
  for (const name of ['one', 'other']) await jobs.enqueue(errand, { name });
  await eventually(() => begun.errands === 1);
  expect(begun).toEqual({ vigils: 3, errands: 1 });
  end.resolve();
  await eventually(() => begun.vigils === 5 && begun.errands === 2);
});

test('a job enqueued while one with its key is starting runs after it and is never lost', async () => {
  await sql`create table asked (times int); insert into asked values (0)`.execute(database.db);
  let seen = 0;
  await startWorker(async () => {
    const { rows } = await sql<{ times: number }>`select times from asked`.execute(database.db);
    seen = Math.max(seen, rows[0]?.times ?? 0);
  });
  const ask = (name: string) =>
    database.db.transaction().execute(async (transaction) => {
      await sql`update asked set times = times + 1`.execute(transaction);
      await jobs.enqueue(errand, { name }, { key: 'asked', queue: 'asked', db: transaction });
    });
  for (let times = 2; times <= 400; times += 2) {
    // Enqueues the second job after the database has given the first to the worker, but before the
    // worker receives it.
    await Promise.all([ask('first'), ask('second')]);
    await eventually(() => seen === times, { timeoutMs: 5_000, what: `turn ${times}` });
  }
});

test('waiting jobs of one account leave slots for those of other accounts', async () => {
  const account = z.object({ account_id: z.string() });
  const vigil = defineJob({
    name: 'vigil',
    version: 1,
    slots: { maxConcurrent: 5, shares: [{ field: 'account_id', max: 2 }] },
    payload: account,
  });
  const visit = defineJob({ name: 'visit', version: 1, payload: account });
  const end = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ended: string[] = [];
  await startWorker(async () => undefined, {
    concurrency: 5,
    handlers: [
      handle(vigil, async ({ account_id }) => {
        begun.push(account_id);
        await end.promise;
        ended.push(account_id);
      }),
      handle(visit, async () => void begun.push('visit')),
    ],
  });
  for (let count = 0; count < 4; count += 1) await jobs.enqueue(vigil, { account_id: 'busy' });
  await jobs.enqueue(vigil, { account_id: 'other' });
  await jobs.enqueue(visit, { account_id: 'busy' });
  await eventually(() => begun.length === 4);
  expect(begun.toSorted()).toEqual(['busy', 'busy', 'other', 'visit']);
  end.resolve();
  await eventually(() => ended.length === 5);
});

test('the last slots of a kind are reserved for accounts without a running job of that kind', async () => {
  const account = z.object({ account_id: z.string() });
  const slots = { maxConcurrent: 5, shares: [{ field: 'account_id', max: 4 }] };
  const vigil = defineJob({ name: 'vigil', version: 1, slots, payload: account });
  const end = Promise.withResolvers<void>();
  const begun: string[] = [];
  await startWorker(async () => undefined, {
    handlers: [
      handle(vigil, async ({ account_id }) => {
        begun.push(account_id);
        await end.promise;
      }),
    ],
  });
  await database.db.transaction().execute(async (db) => {
    for (const name of ['busy', 'busy', 'busy', 'lively']) {
      await jobs.enqueue(vigil, { account_id: name }, { db });
    }
  });
  await eventually(() => begun.length === 4);
  await jobs.enqueue(vigil, { account_id: 'busy' });
  await jobs.enqueue(vigil, { account_id: 'late' });
  await eventually(() => begun.length === 5);
  expect(begun).toEqual(['busy', 'lively', 'busy', 'busy', 'late']);
  end.resolve();
  await eventually(() => begun.length === 6);
});

test('a postponed job frees its slot, loses no attempt, and then has priority over new jobs', async () => {
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const attempts: number[] = [];
  await startWorker(async () => undefined, {
    concurrency: 1,
    handlers: [
      handle(errand, async ({ name }, { attempt }) => {
        begun.push(name);
        if (name === 'blocker') await first.promise;
        if (name !== 'patient') return;
        attempts.push(attempt);
        if (attempts.length === 1) throw new JobPostponed(3_600_000);
      }),
    ],
  });
  const patient = await jobs.enqueue(errand, { name: 'patient' });
  await jobs.enqueue(errand, { name: 'blocker' });
  await eventually(() => begun.length === 2);
  await jobs.enqueue(errand, { name: 'later' });
  // Makes the postponed job due while another job occupies the slot.
  await sql`update graphile_worker._private_jobs set run_at = now() where id = ${patient}::bigint`.execute(
    database.db,
  );
  first.resolve();
  await eventually(() => begun.length === 4);
  expect(begun).toEqual(['patient', 'blocker', 'patient', 'later']);
  expect(attempts).toEqual([1, 1]);
});

test('a job that was taken, but whose response was lost, is released and started', async () => {
  const began = { first: Promise.withResolvers<void>(), lost: Promise.withResolvers<void>() };
  const end = Promise.withResolvers<void>();
  await startWorker(async (name) => {
    began[name === 'lost' ? 'lost' : 'first'].resolve();
    await end.promise;
  });
  await jobs.enqueue(errand, { name: 'first' });
  await began.first.promise;
  await whileNobodyCanLook(async (transaction, blocked) => {
    const id = await jobs.enqueue(errand, { name: 'lost' }, { db: transaction });
    await sql`
      update graphile_worker._private_jobs as lost
      set locked_by = first.locked_by, locked_at = now(), attempts = 1
      from graphile_worker._private_jobs as first
      where lost.id = ${id}::bigint and first.locked_by is not null
    `.execute(transaction);
    await terminate(await blocked());
  });
  await began.lost.promise;
  end.resolve();
});

test('a lease is regained although the server still holds the lock of the previous connection', async () => {
  const leases = async () => {
    const { rows } = await sql<{ pid: number; key: string }>`
      select pid, ((classid::bigint << 32) | objid::bigint)::text as key from pg_locks
      join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and application_name = 'winnow worker' and datname = current_database()
    `.execute(database.db);
    return rows;
  };
  await startWorker(() => Promise.resolve());
  const [before] = await leases();
  await database.db.connection().execute(async (lingering) => {
    await sql`select pg_advisory_lock_shared(${before?.key}::bigint)`.execute(lingering);
    await terminate(before?.pid ?? 0);
    for (let found = await leases(); found[0]?.key !== before?.key || found[0]?.pid === before?.pid; ) {
      found = await leases();
    }
    await sql`select pg_advisory_unlock_all()`.execute(lingering);
  });
});

describe('a worker', () => {
  test('reports that it cannot poll for jobs, and recovers by itself', async () => {
    let nowMs = 0;
    const worker = await startWorker(() => Promise.resolve(), { now: () => nowMs });
    expect(worker.problem()).toBeNull();
    await whileNobodyCanLook(async (_transaction, blocked) => {
      await blocked();
      nowMs += 10_000;
      expect(worker.problem()).toBeNull();
      nowMs += 1;
      expect(worker.problem()).toMatch(/^The job worker has not polled for 10 seconds/);
    });
    while (worker.problem() !== null) await sql`select 1`.execute(database.db);
  });

  test('without a free slot does not poll, and reports a delay only if a slot was free for long', async () => {
    let nowMs = 0;
    const began = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const worker = await startWorker(
      async () => {
        began.resolve();
        await end.promise;
      },
      { now: () => nowMs, concurrency: 1 },
    );
    await jobs.enqueue(errand, { name: 'long' });
    await began.promise;
    nowMs += 3_600_000;
    expect(worker.problem()).toBeNull();
    await whileNobodyCanLook(async (_transaction, blocked) => {
      end.resolve();
      await blocked();
      expect(worker.problem()).toBeNull();
    });
  });
});

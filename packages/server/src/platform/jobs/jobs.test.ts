import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openLog } from '../log.ts';
import { migrate } from '../migrate.ts';
import { countJobs } from '../testing/count-jobs.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../testing/database.ts';
import { DeadWorkers } from './dead-workers.ts';
import { defineJob, type HandledJob, handle, JobCannotSucceed, type JobContext } from './job.ts';
import { Jobs } from './jobs.ts';
import { findWorkersWithoutLease } from './worker-lease.ts';

const log = openLog({ level: 'silent' });
const note = defineJob({ name: 'note', version: 1, payload: z.object({ text: z.string() }) });

let database: TestDatabase<unknown>;
let opened: Jobs[] = [];

beforeAll(async () => {
  database = await createEmptyTestDatabase();
  await migrate({ connection: database.connection, migrations: {}, log });
});
afterEach(async () => {
  await Promise.all(opened.map((jobs) => jobs.stop()));
  opened = [];
  await sql`truncate graphile_worker._private_jobs`.execute(database.db);
  await sql`delete from graphile_worker._private_job_queues`.execute(database.db);
});
afterAll(() => database.drop());

function openJobs(exclusive = true): Jobs {
  const jobs = new Jobs({ db: database.db, connection: database.connection, log, exclusive });
  opened.push(jobs);
  return jobs;
}

/** Creates a promise that the test resolves, to control when a job continues. */
function deferred() {
  return Promise.withResolvers<void>();
}

/** Records all calls of a handler. Can wait for the n-th call. */
function record<Schema extends z.ZodObject>() {
  const calls: { payload: z.output<Schema>; context: JobContext }[] = [];
  const waiting: (() => void)[] = [];
  return {
    calls,
    add(payload: z.output<Schema>, context: JobContext) {
      calls.push({ payload, context });
      for (const check of [...waiting]) check();
    },
    until(count: number): Promise<void> {
      return new Promise((resolve) => {
        const check = () => {
          if (calls.length >= count) resolve();
        };
        waiting.push(check);
        check();
      });
    },
  };
}

async function untilCounts(expected: Partial<{ waiting: number; running: number; failed: number }>) {
  for (;;) {
    const rows = await countJobs(database.db);
    const total = { waiting: 0, running: 0, failed: 0 };
    for (const row of rows) {
      total.waiting += row.waiting;
      total.running += row.running;
      total.failed += row.failed;
    }
    if (Object.entries({ ...total, ...expected }).every(([name, n]) => Reflect.get(total, name) === n))
      return;
  }
}

async function reasons(): Promise<unknown[]> {
  const { rows } = await sql<{ last_error: string }>`select last_error from graphile_worker.jobs`.execute(
    database.db,
  );
  return rows.map((row) => row.last_error);
}

/** Creates a handler of the job `note` that passes its payload and context to a callback. */
function noting(work: (text: string, context: JobContext) => Promise<void> | void): HandledJob {
  return handle(note, async ({ text }, context) => {
    await work(text, context);
  });
}

describe('enqueue', () => {
  test('refuses an invalid payload before anything is stored', async () => {
    const jobs = openJobs();
    const wrong: unknown = { text: 5 };
    await expect(jobs.enqueue(note, wrong as { text: string })).rejects.toThrow();
    expect(await countJobs(database.db)).toEqual([]);
  });

  test('in a transaction adds the job at commit, and nothing after a rollback', async () => {
    const jobs = openJobs();
    const seen = record<typeof note.payload>();
    await jobs.start({ handlers: [handle(note, async (p, c) => seen.add(p, c))], concurrency: 1 });
    const rolledBack = database.db.transaction().execute(async (transaction) => {
      await jobs.enqueue(note, { text: 'never' }, { db: transaction });
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await database.db.transaction().execute(async (transaction) => {
      await jobs.enqueue(note, { text: 'kept' }, { db: transaction });
    });
    await seen.until(1);
    await untilCounts({ waiting: 0, running: 0 });
    expect(seen.calls.map((call) => call.payload.text)).toEqual(['kept']);
  });

  test('with onlyIfNone adds nothing while a job with the key waits or runs, and one afterwards', async () => {
    const jobs = openJobs();
    const once = { key: 'once', onlyIfNone: true };
    const first = await jobs.enqueue(note, { text: 'first' }, once);
    expect(await jobs.enqueue(note, { text: 'while it waits' }, once)).toBe(first);
    const [began, end] = [deferred(), deferred()];
    const seen = record<typeof note.payload>();
    const slow = handle(note, async (payload, context) => {
      seen.add(payload, context);
      began.resolve();
      await end.promise;
    });
    await jobs.start({ handlers: [slow], concurrency: 2 });
    await began.promise;
    expect(await jobs.enqueue(note, { text: 'while it runs' }, once)).toBe(first);
    end.resolve();
    await untilCounts({ waiting: 0, running: 0 });
    expect(await jobs.enqueue(note, { text: 'afterwards' }, once)).not.toBe(first);
    await seen.until(2);
    expect(seen.calls.map(({ payload }) => payload.text)).toEqual(['first', 'afterwards']);
  });

  test('with a future time is not run before it; enqueueing its key again keeps the time', async () => {
    const jobs = openJobs();
    const soon = new Date(Date.now() + 300);
    const key = 'timed';
    await jobs.enqueue(note, { text: 'first' }, { key, runAt: soon });
    await jobs.enqueue(note, { text: 'second' }, { key, runAt: new Date(Date.now() + 3_600_000) });
    const seen = record<typeof note.payload>();
    let ranAt = 0;
    const timed = handle(note, async (payload, context) => {
      ranAt = Date.now();
      seen.add(payload, context);
    });
    await jobs.start({ handlers: [timed], concurrency: 1 });
    await seen.until(1);
    expect(seen.calls[0]?.payload.text).toBe('second');
    expect(ranAt).toBeGreaterThanOrEqual(soon.getTime());
  });
});

describe('jobs of one key', () => {
  test('that wait are merged, with the last payload', async () => {
    const jobs = openJobs();
    for (const text of ['a', 'b', 'c']) await jobs.enqueue(note, { text }, { key: 'same' });
    const seen = record<typeof note.payload>();
    await jobs.start({ handlers: [handle(note, async (p, c) => seen.add(p, c))], concurrency: 2 });
    await seen.until(1);
    await untilCounts({ waiting: 0, running: 0 });
    expect(seen.calls.map((call) => call.payload.text)).toEqual(['c']);
  });

  test('enqueued while one runs cause one more run, after it if they share a queue', async () => {
    const jobs = openJobs();
    const seen = record<typeof note.payload>();
    const open = deferred();
    const order: string[] = [];
    const handler = handle(note, async (payload, context) => {
      order.push(`begin ${payload.text}`);
      seen.add(payload, context);
      if (payload.text === 'running') await open.promise;
      order.push(`end ${payload.text}`);
    });
    await jobs.start({ handlers: [handler], concurrency: 2 });
    const options = { key: 'again', queue: 'one' };
    await jobs.enqueue(note, { text: 'running' }, options);
    await seen.until(1);
    await jobs.enqueue(note, { text: 'x' }, options);
    await jobs.enqueue(note, { text: 'follows' }, options);
    open.resolve();
    const freedMs = performance.now();
    await seen.until(2);
    // The run starts before the next poll, so it was the released queue that woke the worker.
    expect(performance.now() - freedMs).toBeLessThan(900);
    await untilCounts({ waiting: 0, running: 0 });
    expect(order).toEqual(['begin running', 'end running', 'begin follows', 'end follows']);
  });
});

test('jobs of one queue never overlap across two workers; other queues continue', async () => {
  const running = new Set<string>();
  const seen = record<typeof note.payload>();
  const open = deferred();
  let overlapped = false;
  const handler = handle(note, async (payload, context) => {
    const queue = payload.text.slice(0, 1);
    if (running.has(queue)) overlapped = true;
    running.add(queue);
    seen.add(payload, context);
    if (payload.text === 'a0') await open.promise;
    running.delete(queue);
  });
  for (let i = 0; i < 6; i += 1) {
    for (const queue of ['a', 'b']) await openJobs().enqueue(note, { text: `${queue}${i}` }, { queue });
  }
  await openJobs(false).start({ handlers: [handler], concurrency: 3 });
  await openJobs(false).start({ handlers: [handler], concurrency: 3 });
  await seen.until(7);
  expect(seen.calls.map((call) => call.payload.text).sort()).toEqual([
    'a0',
    'b0',
    'b1',
    'b2',
    'b3',
    'b4',
    'b5',
  ]);
  open.resolve();
  await seen.until(12);
  expect(overlapped).toBe(false);
});

describe('a job that fails', () => {
  test('is retried, and knows its attempt and whether it is the last', async () => {
    const fragile = defineJob({ name: 'fragile', version: 1, payload: z.object({}), maxAttempts: 2 });
    const jobs = openJobs();
    const seen = record<typeof fragile.payload>();
    const handler = handle(fragile, async (payload, context) => {
      seen.add(payload, context);
      throw new Error(`attempt ${context.attempt} failed`);
    });
    await jobs.start({ handlers: [handler], concurrency: 1 });
    await jobs.enqueue(fragile, {});
    await untilCounts({ waiting: 1, running: 0 });
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(database.db);
    await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(database.db);
    await untilCounts({ failed: 1 });
    expect(seen.calls.map(({ context }) => [context.attempt, context.isLastAttempt])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(await reasons()).toEqual(['attempt 2 failed']);
  });

  test('for good is not retried, and stores the reason', async () => {
    const jobs = openJobs();
    await jobs.start({
      handlers: [
        noting(() => {
          throw new JobCannotSucceed('The tracker is gone.');
        }),
      ],
      concurrency: 1,
    });
    await jobs.enqueue(note, { text: 'x' });
    await untilCounts({ failed: 1 });
    expect(await reasons()).toEqual(['The tracker is gone.']);
  });

  test('because its stored payload is invalid fails for good, naming what is wrong', async () => {
    const jobs = openJobs();
    await sql`select graphile_worker.add_job('note:v1', '{"text": 5}'::json)`.execute(database.db);
    await jobs.start({ handlers: [noting(() => undefined)], concurrency: 1 });
    await untilCounts({ failed: 1 });
    expect((await reasons())[0]).toMatch(/note:v1 is invalid.*text/s);
  });

  test('of a version this process does not know is left to other processes', async () => {
    const next = defineJob({ name: 'note', version: 2, payload: z.object({ texts: z.string().array() }) });
    const jobs = openJobs();
    await jobs.enqueue(next, { texts: [] });
    const seen = record<typeof note.payload>();
    await jobs.start({ handlers: [handle(note, async (p, c) => seen.add(p, c))], concurrency: 1 });
    await jobs.enqueue(note, { text: 'old' });
    await seen.until(1);
    await untilCounts({ waiting: 1, running: 0 });
    expect(await countJobs(database.db)).toEqual([{ job: 'note:v2', waiting: 1, running: 0, failed: 0 }]);
  });
});

describe('stopping', () => {
  test('lets a short job finish', async () => {
    const jobs = openJobs();
    const began = deferred();
    const open = deferred();
    await jobs.start({
      handlers: [
        noting(async () => {
          began.resolve();
          await open.promise;
        }),
      ],
      concurrency: 1,
    });
    await jobs.enqueue(note, { text: 'x' });
    await began.promise;
    const stopped = jobs.stop();
    open.resolve();
    await stopped;
    expect(await countJobs(database.db)).toEqual([]);
  });

  test('aborts a long job, and releases it without counting an attempt or delaying it', async () => {
    const jobs = openJobs();
    const began = deferred();
    await jobs.start({
      handlers: [
        noting(async (_, { signal }) => {
          began.resolve();
          await new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          );
        }),
      ],
      concurrency: 1,
    });
    await jobs.enqueue(note, { text: 'long' }, { queue: 'q' });
    await began.promise;
    await jobs.stop();

    const seen = record<typeof note.payload>();
    await openJobs().start({ handlers: [handle(note, async (p, c) => seen.add(p, c))], concurrency: 1 });
    await seen.until(1);
    expect(seen.calls[0]?.context.attempt).toBe(1);
  });
});

describe('a worker process that is killed', () => {
  async function killInTheMiddle(): Promise<void> {
    const path = fileURLToPath(new URL('../testing/worker-stand-in.ts', import.meta.url));
    const child = spawn(process.execPath, [path, JSON.stringify(database.connection)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    expect(JSON.parse(line)).toEqual({ attempt: 1 });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    // The database notices the end of the process a moment later.
    while ((await findWorkersWithoutLease(database.db)).length === 0);
  }
  const endless = defineJob({ name: 'endless', version: 1, payload: z.object({}) });

  test('has its job and its queue taken over immediately at the next start', async () => {
    const jobs = openJobs();
    await jobs.enqueue(endless, {}, { queue: 'tracker' });
    await killInTheMiddle();
    const seen = record<typeof endless.payload>();
    const startedMs = performance.now();
    await jobs.start({ handlers: [handle(endless, async (p, c) => seen.add(p, c))], concurrency: 1 });
    await seen.until(1);
    // A dead worker's jobs are released immediately at start. Without that, they would wait for a
    // grace period of five seconds.
    expect(performance.now() - startedMs).toBeLessThan(4_500);
    expect(seen.calls[0]?.context.attempt).toBe(2);
  });

  test('is distinguished from a living one, and from one with a briefly lost connection', async () => {
    const living = openJobs(false);
    const began = deferred();
    const open = deferred();
    await living.start({
      handlers: [
        noting(async () => {
          began.resolve();
          await open.promise;
        }),
      ],
      concurrency: 1,
    });
    await living.enqueue(note, { text: 'alive' });
    await living.enqueue(endless, {});
    await began.promise;
    await killInTheMiddle();

    const deadWorkers = new DeadWorkers({ db: database.db, log, graceMs: 5_000 });
    const nowMs = 1_000_000;
    expect(await deadWorkers.release(nowMs)).toBe(0);
    expect(await deadWorkers.release(nowMs + 4_999)).toBe(0);
    expect(await deadWorkers.release(nowMs + 5_000)).toBe(1);
    expect(await countJobs(database.db)).toEqual([
      { job: 'endless:v1', waiting: 1, running: 0, failed: 0 },
      { job: 'note:v1', waiting: 0, running: 1, failed: 0 },
    ]);
    open.resolve();
  });

  test('during the last attempt leaves a failed job with the reason', async () => {
    const jobs = openJobs();
    await jobs.enqueue(endless, {});
    await sql`update graphile_worker._private_jobs set max_attempts = 1`.execute(database.db);
    await killInTheMiddle();
    await new DeadWorkers({ db: database.db, log, graceMs: 0 }).release();
    expect(await reasons()).toEqual(['The process that ran this job ended before it did.']);
  });
});

describe('a database that drops its connections', () => {
  test('does not stop the worker: the running job is done once, and later jobs are run', async () => {
    const jobs = openJobs(false);
    const seen = record<typeof note.payload>();
    const open = deferred();
    const handler = handle(note, async (payload, context) => {
      seen.add(payload, context);
      if (payload.text === 'during') await open.promise;
    });
    await jobs.start({ handlers: [handler], concurrency: 1 });
    await jobs.enqueue(note, { text: 'during' });
    await seen.until(1);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
    `.execute(database.db);
    open.resolve();
    await jobs.enqueue(note, { text: 'after' });
    await seen.until(2);
    await untilCounts({ waiting: 0, running: 0, failed: 0 });
    expect(seen.calls.map((call) => call.payload.text)).toEqual(['during', 'after']);
  });
});

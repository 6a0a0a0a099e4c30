import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase, prepared } from './database.ts';
import { DatabaseUnavailable, isConnectionError } from './database-unavailable.ts';
import { openEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts';
import { readPostmasterFile } from './embedded-postgres/postmaster-file.ts';
import { AppError } from './errors.ts';
import { openLog } from './log.ts';
import { createEmptyTestDatabase, type TestDatabase } from './testing/database.ts';

const log = openLog({ level: 'silent' });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('a database that is down', () => {
  test('fails a query immediately with an error that suggests a retry, not with a statement error', async () => {
    const away = openDatabase({ host: '/nowhere', user: 'winnow' }, { log });
    const error = await failureOf(sql`select 1`.execute(away.db));
    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(error).toMatchObject({ category: 'unavailable', retryAfterSeconds: 5 });
    expect(isConnectionError(new Error('outer', { cause: error }))).toBe(true);
    await away.close();
  });

  test('is not confused with a failed call to another system', () => {
    const elsewhere = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:443'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    expect(isConnectionError(elsewhere)).toBe(false);
    expect(isConnectionError(null)).toBe(false);
  });

  test("is not confused with our own message that begins like the driver's", () => {
    const detail = 'timeout expired refuses the API key.';
    expect(
      isConnectionError(new AppError({ code: 'model_unauthorized', category: 'upstream_failed', detail })),
    ).toBe(false);
    expect(isConnectionError(new Error(detail))).toBe(true);
  });
});

describe('PostgreSQL that stops under an open pool', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-database-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  test('fails running queries as unavailable, does not end the process, and is used again after its restart', async () => {
    const postgres = await openEmbeddedPostgres({ dataDir, log, durable: false });
    const database = openDatabase(postgres.connection, { log, max: 3 });
    try {
      await sql`create table kept (id int)`.execute(database.db);
      const pid = readPostmasterFile(join(dataDir, 'postgres'))?.pid ?? 0;

      const running = failureOf(sql`select pg_sleep(60)`.execute(database.db));
      const inTransaction = failureOf(
        database.db.transaction().execute(async (transaction) => {
          await sql`insert into kept values (1)`.execute(transaction);
          await running;
          await sql`insert into kept values (2)`.execute(transaction);
        }),
      );
      await untilBusy(database, 2);
      process.kill(pid, 'SIGINT');
      expect(isConnectionError(await running)).toBe(true);
      expect(isConnectionError(await inTransaction)).toBe(true);

      let answer: unknown = null;
      while (answer === null) {
        const error = await failureOf(
          sql<{ n: number }>`select count(*) as n from kept`.execute(database.db).then((result) => {
            answer = result.rows;
          }),
        );
        if (error !== null) expect(error).toBeInstanceOf(DatabaseUnavailable);
      }
      expect(answer).toEqual([{ n: 0 }]);
    } finally {
      await database.close();
      await postgres.stop();
    }
  });
});

async function untilBusy(database: Database<unknown>, count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
    `.execute(database.db);
    if (rows[0]?.n === count) return;
  }
}

describe('an open database', () => {
  let database: TestDatabase<unknown>;
  beforeAll(async () => {
    database = await createEmptyTestDatabase();
  });
  afterAll(() => database.drop());

  test('does not report an invalid statement or a constraint violation as a connection error', async () => {
    expect(isConnectionError(await failureOf(sql`selec 1`.execute(database.db)))).toBe(false);
    const broken = failureOf(
      sql`create table t (id int check (id > 0)); insert into t values (0)`.execute(database.db),
    );
    expect(isConnectionError(await broken)).toBe(false);
  });

  test('prepares a marked query once per connection, and no other', async () => {
    await database.db.connection().execute(async (connection) => {
      for (const id of [1, 2, 3]) {
        const marked = await sql`select ${prepared} ${id}::int as id`.execute(connection);
        expect(marked.rows).toEqual([{ id }]);
        await sql`select ${id}::int as other`.execute(connection);
      }
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements
      `.execute(connection);
      expect(rows.map(({ statement }) => statement)).toEqual(['select /* prepared */ $1::int as id']);
    });
  });

  test('refuses to round a bigint', async () => {
    await expect(sql`select 9007199254740993::bigint as big`.execute(database.db)).rejects.toThrow(
      /is not a safe integer/,
    );
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
  });

  test('reads numbers as numbers, days as text and timestamps as dates', async () => {
    const { rows } = await sql`
      select 9007199254740991::bigint as big, array[1, null, 2]::bigint[] as bigs, 19.90::numeric as amount,
        array[0.1, 2]::numeric[] as amounts, '2026-03-29'::date as day, array['2026-03-29']::date[] as days,
        '2026-03-29T02:30:00Z'::timestamptz as instant, '\\x00ff'::bytea as bytes, '{"a":1}'::jsonb as json
    `.execute(database.db);
    expect(rows).toEqual([
      {
        big: 9_007_199_254_740_991,
        bigs: [1, null, 2],
        amount: 19.9,
        amounts: [0.1, 2],
        day: '2026-03-29',
        days: ['2026-03-29'],
        instant: new Date('2026-03-29T02:30:00Z'),
        bytes: Buffer.of(0, 255),
        json: { a: 1 },
      },
    ]);
  });

  test('cancels a slow statement, without reporting a connection error', async () => {
    const hurried = openDatabase(database.connection, { log, statementTimeoutMs: 20 });
    const error = await failureOf(sql`select pg_sleep(10)`.execute(hurried.db));
    expect(error).toMatchObject({ code: '57014' });
    expect(isConnectionError(error)).toBe(false);
    await hurried.close();
    await hurried.close();
  });

  test('does not end the process if an idle connection in a transaction is cut', async () => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db);
    const client = await database.pool.connect();
    const own = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const lost = new Promise((resolve) => client.once('error', resolve));
    expect(rows[0]?.pid).toBeDefined();
    await sql`select pg_terminate_backend(${own.rows[0]?.pid})`.execute(database.db);
    await lost;
    client.release();
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
  });
});

import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { openLog } from './log.ts';
import { checkServer, DatabaseRefused, type Migrations, migrate, readMigrationState } from './migrate.ts';
import { createEmptyTestDatabase, type TestDatabase } from './testing/database.ts';

const log = openLog({ level: 'silent' });

function running(statement: string): { up(db: Kysely<unknown>): Promise<void> } {
  return { up: async (db) => void (await sql.raw(statement).execute(db)) };
}

const first = { '0001-first': running('create table first (id int)') };
const both: Migrations = { ...first, '0002-second': running('alter table first add column name text') };

describe('a database', () => {
  let database: TestDatabase<unknown>;
  beforeAll(async () => {
    database = await createEmptyTestDatabase();
  });
  afterAll(() => database.drop());
  const bringTo = (migrations: Migrations) => migrate({ connection: database.connection, migrations, log });

  test('that was never migrated has all migrations pending, and checking does not change it', async () => {
    expect(await readMigrationState(database.db, first)).toEqual({
      pending: ['0000-platform', '0001-first'],
      unknown: [],
    });
    const { rows } = await sql`select * from information_schema.tables where table_schema = 'public'`.execute(
      database.db,
    );
    expect(rows).toEqual([]);
  });

  test('is migrated once by four processes that start together, including the job queue', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => bringTo(first)));
    expect(applied.flat().sort()).toEqual(['0000-platform', '0001-first']);
    await sql`select graphile_worker.add_job('x', '{}'::json), * from first`.execute(database.db);
  });

  test('gets only new migrations the next time, and then none', async () => {
    expect(await bringTo(both)).toEqual(['0002-second']);
    expect(await bringTo(both)).toEqual([]);
    expect(await readMigrationState(database.db, both)).toEqual({ pending: [], unknown: [] });
  });

  test('of a newer version is refused, naming its unknown migrations, and left unchanged', async () => {
    expect(await readMigrationState(database.db, first)).toEqual({ pending: [], unknown: ['0002-second'] });
    await expect(bringTo(first)).rejects.toThrow(/newer Winnow \(it has 0002-second\)/);
    await sql`select name from first`.execute(database.db);
  });

  test('from before version 0.1 is refused in one sentence, and left unchanged', async () => {
    const older = await createEmptyTestDatabase();
    try {
      const connection = older.connection;
      const foundation = { '0001-foundation': running('create table old (id int)') };
      await migrate({ connection, migrations: foundation, log });
      await expect(migrate({ connection, migrations: both, log })).rejects.toThrow(
        /^The database is from before Winnow 0\.1 and cannot be upgraded\./,
      );
      await sql`select id from old`.execute(older.db);
    } finally {
      await older.drop();
    }
  });

  test('with a failing migration is rolled back, names the migration and the reason, and can be migrated later', async () => {
    const failing = {
      ...both,
      '0003-third': running('create table third (id int); alter table missing add column x int'),
    };
    const error = await bringTo(failing).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DatabaseRefused);
    expect(error).toMatchObject({ message: expect.stringMatching(/0003-third could not.*"missing"/) });
    await expect(sql`select * from third`.execute(database.db)).rejects.toThrow();
    expect(await bringTo({ ...both, '0003-third': running('create table third (id int)') })).toEqual([
      '0003-third',
    ]);
  });

  test('with another encoding is refused with the command that creates one in UTF-8', async () => {
    const admin = new Client({ ...database.connection, database: 'template1' });
    await admin.connect();
    await admin.query(
      "create database ascii_only encoding 'SQL_ASCII' locale 'C' locale_provider libc template template0",
    );
    const ascii = openDatabase<unknown>({ ...database.connection, database: 'ascii_only' }, { log });
    try {
      await expect(checkServer(ascii.db)).rejects.toThrow(/SQL_ASCII.*create database/);
      await checkServer(database.db);
    } finally {
      await ascii.close();
      await admin.query('drop database ascii_only');
      await admin.end();
    }
  });
});

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

  test('that was never migrated has everything pending, and looking changes nothing', async () => {
    expect(await readMigrationState(database.db, first)).toEqual({
      pending: ['0000-platform', '0001-first'],
      unknown: [],
    });
    const { rows } = await sql`select * from information_schema.tables where table_schema = 'public'`.execute(
      database.db,
    );
    expect(rows).toEqual([]);
  });

  test('is migrated once by four processes that start together, the job queue included', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => bringTo(first)));
    expect(applied.flat().sort()).toEqual(['0000-platform', '0001-first']);
    await sql`select graphile_worker.add_job('x', '{}'::json), * from first`.execute(database.db);
  });

  test('gets only what is new the next time, and then nothing', async () => {
    expect(await bringTo(both)).toEqual(['0002-second']);
    expect(await bringTo(both)).toEqual([]);
    expect(await readMigrationState(database.db, both)).toEqual({ pending: [], unknown: [] });
  });

  test('of a newer Winnow is refused with a sentence that names what it has, and left alone', async () => {
    expect(await readMigrationState(database.db, first)).toEqual({ pending: [], unknown: ['0002-second'] });
    await expect(bringTo(first)).rejects.toThrow(/newer Winnow \(it has 0002-second\)/);
    await sql`select name from first`.execute(database.db);
  });

  test('whose migration fails keeps nothing of it, says which and why, and can be migrated afterwards', async () => {
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

  test('that does not store UTF-8 is refused with the command that makes one that does', async () => {
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

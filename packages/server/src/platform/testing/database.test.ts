import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';

describe('a test database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('is migrated', async () => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      database.db,
    );
    expect(rows.map((row) => row.name)).toContain('0001-accounts');
  });

  test('shares nothing with another, even if they are created concurrently', async () => {
    const others = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await sql`create table only_here (id int)`.execute(database.db);
    for (const other of others) {
      await expect(sql`select * from only_here`.execute(other.db)).rejects.toThrow(/only_here/);
      await other.drop();
    }
  });

  test('is removed by drop even if clients are connected', async () => {
    const other = await createTestDatabase();
    const bystander = await other.pool.connect();
    bystander.on('error', () => undefined);
    bystander.release();
    await other.drop();
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_database where datname = ${other.connection.database ?? ''}
    `.execute(database.db);
    expect(rows).toEqual([{ n: 0 }]);
  });
});

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Kysely } from 'kysely';
import { Client, type Pool, type PoolConfig } from 'pg';
import { inject } from 'vitest';
import { z } from 'zod';
import type { Tables } from '../../schema/tables.ts';
import { openDatabase } from '../database.ts';
import { openLog } from '../log.ts';

/** An empty database for one test file. */
export interface TestDatabase<T = Tables> {
  readonly db: Kysely<T>;
  readonly pool: Pool;
  /** Connection parameters, for another pool or process that uses this database. */
  readonly connection: PoolConfig;
  /** Closes the pool, disconnects all other clients, and drops the database. */
  drop(): Promise<void>;
}

const answer = z.union([
  z.object({
    connection: z.object({
      host: z.string(),
      port: z.number(),
      user: z.string(),
      password: z.string(),
      database: z.string(),
    }),
  }),
  z.object({ error: z.string() }),
]);

/**
 * Creates a migrated database for a test file by copying a template (tens of milliseconds). The
 * first call of a test run starts the server. Call it in `beforeAll`, and {@link TestDatabase.drop}
 * in `afterAll`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await askForPostgres('migrated');
  return createFrom<Tables>(server, server.database);
}

/** Creates an empty database without tables, for tests that do not need Winnow's tables. */
export async function createEmptyTestDatabase(): Promise<TestDatabase<unknown>> {
  return createFrom<unknown>(await askForPostgres('empty'), 'template0');
}

async function createFrom<T>(
  server: PoolConfig & { database: string },
  template: string,
): Promise<TestDatabase<T>> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // PostgreSQL cannot copy a template while a client is connected to it, so the statement runs in
  // another database.
  const admin = { ...server, database: 'template1' };
  await run(admin, `create database ${name} template ${template} strategy wal_log`);
  const connection = { ...server, database: name };
  const database = openDatabase<T>(connection, { log: openLog({ level: 'silent' }), max: 5 });
  return {
    db: database.db,
    pool: database.pool,
    connection,
    async drop() {
      await database.close();
      await run(admin, `drop database ${name} with (force)`);
    },
  };
}

async function askForPostgres(wish: 'migrated' | 'empty') {
  const socket = connect(inject('testPostgresPort'), '127.0.0.1');
  socket.end(wish);
  const said = answer.parse(JSON.parse(await text(socket)));
  if ('error' in said) throw new Error(`The PostgreSQL server for tests did not start: ${said.error}`);
  return said.connection;
}

async function run(connection: PoolConfig, statement: string): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { PoolConfig } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../../schema/migrations.ts';
import type { Db } from '../../schema/tables.ts';
import { fillAccount } from '../../testing/full-account.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';
import { openLog } from '../log.ts';
import { migrate } from '../migrate.ts';
import { createEmptyTestDatabase, createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { backUp } from './backup.ts';
import { BackupRefused } from './backup-refused.ts';
import { checkBackup, restore } from './restore.ts';

const log = openLog({ level: 'silent' });
const JOB_KEY = 'kept-by-a-backup';
let folder: string;
let file: string;
let source: TestDatabase;
let saved: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-backup-'));
  file = join(folder, 'winnow.backup');
  source = await createTestDatabase();
  const winnow = await startWinnow({ database: source });
  try {
    await fillAccount(source.db, await winnow.newCaller());
  } finally {
    await winnow.close();
  }
  await sql`
    select graphile_worker.add_job('errand:v1', '{"text": "é"}'::json, queue_name => 'q', job_key => ${JOB_KEY},
      run_at => now() + interval '1 day')
  `.execute(source.db);
  saved = await contents(source.db);
  await makeBackup(source.connection, file);
}, 120_000);
afterAll(async () => {
  await source.drop();
  rmSync(folder, { recursive: true, force: true });
});

function makeBackup(connection: PoolConfig, path: string, force = false): Promise<number> {
  return backUp({
    connection,
    path,
    force,
    winnowVersion: '0.0.0-test',
    key: null,
    now: () => new Date('2026-03-01T12:00:00Z'),
    onTable: () => undefined,
  });
}

async function restoreInto(
  connection: PoolConfig,
  {
    path = file,
    known = migrations,
    replace = false,
    beforeCommit = () => Promise.resolve(),
  }: {
    path?: string;
    known?: typeof migrations;
    replace?: boolean;
    beforeCommit?: () => Promise<void>;
  } = {},
): Promise<boolean> {
  const backup = await checkBackup(path, known);
  return restore({
    backup,
    connection,
    migrations: known,
    log,
    mayReplace: async () => replace,
    beforeCommit,
    onTable: () => undefined,
  });
}

/**
 * Returns a hash of all rows per table, and the definitions of tables, indexes, triggers and
 * sequences.
 */
async function contents(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
  `.execute(db);
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const when = name === 'kysely_migration' ? sql`name` : sql`to_jsonb(t)::text`;
    const { rows } = await sql<{ all: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(${when}, E'\n' order by ${when})), '') as all
      from ${sql.table(name)} as t
    `.execute(db);
    found[name] = rows[0]?.all ?? '';
  }
  const { rows: schema } = await sql<{ line: string }>`
    select pg_get_indexdef(indexrelid) as line from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace
    union all
    select concat(conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) from pg_constraint
    where connamespace = current_schema()::regnamespace and contype <> 'n'
    union all
    select concat(pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
    union all
    select concat(sequencename, last_value) from pg_sequences where schemaname = current_schema()
    order by line
  `.execute(db);
  found.schema = schema.map(({ line }) => line).join('\n');
  const { rows: jobs } = await sql<{ job: string }>`
    select concat_ws(' ', identifier, payload::text, queue_name, run_at::text, job.max_attempts, key, priority) as job
    from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = task_id
    left join graphile_worker._private_job_queues as queue on queue.id = job_queue_id order by job
  `.execute(db);
  found.jobs = jobs.map(({ job }) => job).join('\n');
  return found;
}

async function withEmpty(work: (database: TestDatabase<unknown>, db: Db) => Promise<void>): Promise<void> {
  const database = await createEmptyTestDatabase();
  try {
    await work(database, database.db as Db);
  } finally {
    await database.drop();
  }
}

test('restores every row of every table, indexes, keys, triggers, sequences and waiting jobs', async () => {
  await withEmpty(async ({ connection }, db) => {
    expect(await restoreInto(connection)).toBe(true);
    expect(await contents(db)).toEqual(saved);
    expect(saved.jobs).toContain(JOB_KEY);
    expect(Object.values(saved).filter((all) => /^[1-9]/.test(all)).length).toBeGreaterThan(50);
  });
});

test('leaves a database with data unchanged unless it may be replaced, and then restores the backup', async () => {
  const used = await createTestDatabase();
  try {
    await sql`insert into account (id) values (gen_random_uuid())`.execute(used.db);
    const before = await contents(used.db);
    expect(await restoreInto(used.connection)).toBe(false);
    expect(await contents(used.db)).toEqual(before);
    expect(await restoreInto(used.connection, { replace: true })).toBe(true);
    expect(await contents(used.db)).toEqual(saved);
  } finally {
    await used.drop();
  }
});

test('leaves the previous data if it is interrupted just before its end', async () => {
  const used = await createTestDatabase();
  try {
    await sql`insert into account (id) values (gen_random_uuid())`.execute(used.db);
    const before = await contents(used.db);
    const beforeCommit = async () => {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'winnow restore'
      `.execute(used.db);
    };
    await expect(restoreInto(used.connection, { replace: true, beforeCommit })).rejects.toThrow();
    expect(await contents(used.db)).toEqual(before);
  } finally {
    await used.drop();
  }
});

test('restores a backup of an older version and migrates it', async () => {
  await withEmpty(async (older, db) => {
    const former = Object.fromEntries(Object.entries(migrations).slice(0, 1));
    await migrate({ connection: older.connection, migrations: former, log });
    await sql`insert into account (id) values ('7d444840-9dc0-41d1-b245-5ffdce74fad2')`.execute(db);
    const path = join(folder, 'older.backup');
    await makeBackup(older.connection, path);
    await withEmpty(async ({ connection }, restored) => {
      await restoreInto(connection, { path });
      const { rows } = await sql`select id, leaving_at from account`.execute(restored);
      expect(rows).toEqual([{ id: '7d444840-9dc0-41d1-b245-5ffdce74fad2', leaving_at: null }]);
      expect((await contents(restored)).kysely_migration).toBe(saved.kysely_migration);
    });
  });
});

describe('refuses, before anything is changed,', () => {
  async function refused(path: string, known = migrations): Promise<string> {
    const error: unknown = await checkBackup(path, known).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(BackupRefused);
    return String(error);
  }
  async function changed(name: string, change: (bytes: Buffer) => Buffer): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, change(await readFile(file)));
    return path;
  }

  test.each([
    ['at its end', (bytes: Buffer) => bytes.subarray(0, -32)],
    ['in the middle', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['after its first line', (bytes: Buffer) => bytes.subarray(0, 16)],
  ])('a backup that was cut %s', async (_, change) => {
    expect(await refused(await changed('cut', change))).toMatch(/damaged or truncated/);
  });

  test('a backup with one changed byte, wherever it is', async () => {
    const { size } = await stat(file);
    for (let place = 16; place < size; place += Math.ceil(size / 40)) {
      const path = await changed('differs', (bytes) => {
        bytes[place] = (bytes[place] ?? 0) ^ 0x55;
        return bytes;
      });
      expect(await refused(path)).toMatch(/damaged or truncated|another Winnow/);
    }
  });

  test('a backup of another format version, and a file that is not a backup', async () => {
    const other = await changed('format', (bytes) =>
      Buffer.concat([Buffer.from('winnow backup 2\n'), bytes.subarray(16)]),
    );
    expect(await refused(other)).toMatch(/has backup format 2; this version of Winnow reads format 1/);
    expect(await refused(await changed('other', () => Buffer.from('PGDMP')))).toMatch(
      /is not a backup of Winnow/,
    );
    expect(await refused(join(folder, 'nothing'))).toMatch(/cannot be read/);
  });

  test('a backup of a newer Winnow version', async () => {
    const { '0011-flows': _, ...older } = migrations;
    expect(await refused(file, older)).toMatch(
      /created by Winnow 0\.0\.0-test, whose tables this version does not know \(it has 0011-flows\)/,
    );
  });

  test('a database that Winnow runs on', async () => {
    const winnow: RunningWinnow = await startWinnow();
    try {
      const { connection } = winnow.database;
      await expect(restoreInto(connection, { replace: true })).rejects.toThrow(
        /Winnow is running on this database/,
      );
    } finally {
      await winnow.close();
    }
  });

  test('a database with tables of another program', async () => {
    await withEmpty(async ({ connection }, db) => {
      await sql`create table theirs (id int)`.execute(db);
      await expect(restoreInto(connection, { replace: true })).rejects.toThrow(
        /tables that are not Winnow’s/,
      );
    });
  });
});

describe('a backup', () => {
  test('can be read only by its owner, and is not overwritten unless that is requested', async () => {
    const path = join(folder, 'again');
    await copyFile(file, path);
    await expect(makeBackup(source.connection, path)).rejects.toThrow(/already exists/);
    await makeBackup(source.connection, path, true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await checkBackup(path, migrations)).rows).toEqual((await checkBackup(file, migrations)).rows);
  });

  test('of a database that was never migrated is refused and leaves no file', async () => {
    await withEmpty(async ({ connection }) => {
      const path = join(folder, 'none');
      await expect(makeBackup(connection, path)).rejects.toThrow(/contains no Winnow data/);
      await expect(stat(path)).rejects.toThrow();
    });
  });
});

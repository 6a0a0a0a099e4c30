import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../database.ts';
import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { readPostmasterFile } from '../embedded-postgres/postmaster-file.ts';
import { openLog } from '../log.ts';
import { migrate } from '../migrate.ts';
import { defineJob, handle } from './job.ts';
import { countJobs, Jobs } from './jobs.ts';

const log = openLog({ level: 'silent' });

test('a job that ends while the database is away is done again when it is back, and the worker goes on', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-outage-'));
  const postgres = await openEmbeddedPostgres({ dataDir, log });
  const { connection } = postgres;
  await migrate({ connection, migrations: {}, log });
  const database = openDatabase<unknown>(connection, { log });
  const jobs = new Jobs({ db: database.db, connection, log, exclusive: true });
  const count = defineJob({ name: 'count', version: 1, payload: z.object({ what: z.string() }) });
  const runs: string[] = [];
  const again = Promise.withResolvers<void>();
  const later = Promise.withResolvers<void>();
  const handler = handle(count, async ({ what }, { attempt }) => {
    runs.push(`${what} ${attempt}`);
    if (what === 'later') later.resolve();
    else if (attempt > 1) again.resolve();
    else {
      process.kill(readPostmasterFile(join(dataDir, 'postgres'))?.pid ?? 0, 'SIGKILL');
      await expect(sql`select pg_sleep(60)`.execute(database.db)).rejects.toThrow();
    }
  });
  try {
    await jobs.start({ handlers: [handler], concurrency: 1 });
    await jobs.enqueue(count, { what: 'interrupted' }, { queue: 'q' });
    await again.promise;
    await jobs.enqueue(count, { what: 'later' }, { queue: 'q' });
    await later.promise;
    expect(runs).toEqual(['interrupted 1', 'interrupted 2', 'later 1']);
    while ((await countJobs(database.db)).length > 0);
  } finally {
    await jobs.stop();
    await database.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

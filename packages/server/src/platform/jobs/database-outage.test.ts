import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Database, openDatabase } from '../database.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { readPostmasterFile } from '../embedded-postgres/postmaster-file.ts';
import { openLog } from '../log.ts';
import { migrate } from '../migrate.ts';
import { countJobs } from '../testing/count-jobs.ts';
import { defineJob, handle } from './job.ts';
import { Jobs } from './jobs.ts';

const log = openLog({ level: 'silent' });
const errand = defineJob({
  name: 'errand',
  version: 1,
  payload: z.object({ name: z.string(), queue: z.string().optional() }),
});
type Errand = z.infer<typeof errand.payload>;

let dataDir: string;
let postgres: EmbeddedPostgres;
let database: Database<unknown>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'winnow-outage-'));
  postgres = await openEmbeddedPostgres({ dataDir, log });
  await migrate({ connection: postgres.connection, migrations: {}, log });
  database = openDatabase<unknown>(postgres.connection, { log });
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Kills the database server. Resolves while it is down; the server then restarts automatically. */
async function killPostgres(): Promise<void> {
  process.kill(readPostmasterFile(join(dataDir, 'postgres'))?.pid ?? 0, 'SIGKILL');
  await expect(sql`select pg_sleep(60)`.execute(database.db)).rejects.toThrow();
}

/**
 * Records the runs of tasks. Also records a task that ran twice at the same time, and two
 * concurrent tasks of one queue.
 */
class Runs {
  readonly begun: string[] = [];
  readonly overlaps: string[] = [];
  readonly #running = new Set<string>();
  #changed = Promise.withResolvers<void>();

  async note({ name, queue }: Errand, work: () => Promise<void>): Promise<void> {
    const places = queue === undefined ? [name] : [name, queue];
    for (const place of places) if (this.#running.has(place)) this.overlaps.push(place);
    for (const place of places) this.#running.add(place);
    this.begun.push(name);
    this.#tell();
    try {
      await work();
    } finally {
      for (const place of places) this.#running.delete(place);
      this.#tell();
    }
  }

  times(name: string): number {
    return this.begun.filter((begun) => begun === name).length;
  }

  async until(holds: (runs: this) => boolean): Promise<void> {
    while (!holds(this)) await this.#changed.promise;
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

test('if the database dies during four jobs, each is done, none overlaps, and the worker recovers by itself', async () => {
  const jobs = new Jobs({ db: database.db, connection: postgres.connection, log, exclusive: true });
  const runs = new Runs();
  const away = Promise.withResolvers<void>();
  const enough = Promise.withResolvers<void>();
  const attempts: number[] = [];
  const works: Record<string, (attempt: number) => Promise<void>> = {
    'ends meanwhile': () => away.promise,
    'fails meanwhile': async (attempt) => {
      await away.promise;
      if (attempt === 1) throw new Error('The tracker does not respond.');
    },
    'needs the database': async (attempt) => {
      attempts.push(attempt);
      await sql`select pg_sleep(case when ${runs.times('needs the database')} = 1 then 60 else 0 end)`.execute(
        database.db,
      );
    },
    'does not use the database': () => enough.promise,
  };
  const names = Object.keys(works);
  const handler = handle(errand, (payload, { attempt }) =>
    runs.note(payload, () => works[payload.name]?.(attempt) ?? Promise.resolve()),
  );
  const enqueue = (name: string, queue: string) => jobs.enqueue(errand, { name, queue }, { queue });
  try {
    await jobs.start({ handlers: [handler], concurrency: 4 });
    for (const name of names) await enqueue(name, `queue of ${name}`);
    await runs.until(({ begun }) => begun.length === 4);
    for (const name of names) await enqueue(`after ${name}`, `queue of ${name}`);
    await killPostgres();
    away.resolve();

    await runs.until(({ begun }) => begun.includes('after ends meanwhile'));
    await enqueue('later', 'another queue');
    await runs.until(({ begun }) => begun.includes('later') && begun.includes('after needs the database'));
    expect(runs.begun).not.toContain('after does not use the database');
    enough.resolve();
    while ((await countJobs(database.db)).length > 0);
    const times = Object.fromEntries(
      names.map((name) => [name, [runs.times(name), runs.times(`after ${name}`)]]),
    );
    expect(times).toEqual({
      'ends meanwhile': [1, 1],
      'fails meanwhile': [2, 1],
      'needs the database': [2, 1],
      'does not use the database': [1, 1],
    });
    // An attempt that an outage of the database interrupts must not count.
    expect(attempts).toEqual([1, 1]);
    expect(runs.overlaps).toEqual([]);
  } finally {
    enough.resolve();
    await jobs.stop();
  }
}, 60_000);

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PoolConfig } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrations } from '../../schema/migrations.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { openLog } from '../log.ts';
import { migrate } from '../migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file asks for the run's PostgreSQL. */
    testPostgresPort: number;
  }
}

const PREFIX = 'winnow-test-';

/**
 * One PostgreSQL for a whole Vitest run, in a folder of this run only. It is started when the first test file asks, and
 * its `postgres` database migrated when the first one asks for a migrated copy; a run that needs none pays nothing.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const log = openLog({ level: 'error' });
  let server: Promise<EmbeddedPostgres> | null = null;
  let template: Promise<unknown> | null = null;

  async function connectionFor(wish: string): Promise<PoolConfig> {
    server ??= openEmbeddedPostgres({ dataDir: folder, log, durable: false });
    const { connection } = await server;
    if (wish === 'migrated') {
      template ??= migrate({ connection, migrations, log });
      await template;
    }
    return connection;
  }

  const door = createServer({ allowHalfOpen: true }, (socket) => {
    text(socket)
      .then(connectionFor)
      .then(
        (connection) => socket.end(JSON.stringify({ connection })),
        (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
      );
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const address = door.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  project.provide('testPostgresPort', address.port);

  return async () => {
    door.close();
    // That it did not start was told to the test file that asked.
    const postgres = await server?.catch(() => null);
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Folders of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : Number.NaN);
    if (Number.isInteger(pid) && !isRunning(pid)) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

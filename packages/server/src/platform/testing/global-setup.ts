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
    /** Port of a local server from which test files request the connection to PostgreSQL. */
    testPostgresPort: number;
  }
}

const PREFIX = 'winnow-test-';

/**
 * Provides one PostgreSQL server per Vitest run, in a temporary folder. The server starts when the
 * first test file requests a connection. Migrations run when the first test file requests a
 * migrated database.
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
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  project.provide('testPostgresPort', address.port);

  return async () => {
    door.close();
    // If the start failed, the test file that requested the server has already reported it.
    const postgres = await server?.catch(() => null);
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Removes temporary folders of test runs that were killed. */
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { launch } from '../../../launch.mjs';
import type { TestDatabase } from '../../platform/testing/database.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));

/**
 * Runs a command until it exits. Uses the database of the test, or the embedded one of a data
 * folder.
 */
export async function runCommand(
  args: readonly string[],
  place: { database?: TestDatabase; dataDir: string; env?: Record<string, string> },
): Promise<{ code: number; output: string; errors: string }> {
  const child = spawn(process.execPath, [...launch.flags, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...launch.env,
      ...(place.database === undefined ? {} : { DATABASE_URL: urlOf(place.database) }),
      DATA_DIR: place.dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...place.env,
    },
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: Number(code), output, errors };
}

/** Returns the URL by which another process can connect to a test's database. */
export function urlOf({ connection }: Pick<TestDatabase, 'connection'>): string {
  const { host, port, user, password, database } = connection;
  const address = new URLSearchParams({
    host: String(host),
    port: String(port),
    user: String(user),
    password: String(password),
  });
  return `postgres:///${database}?${address}`;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { launch } from '../../../../../tools/run/launch.mjs';
import type { TestDatabase } from '../../platform/testing/database.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));

/** Runs a command as an operator does, on a test's database, to its end. */
export async function runCommand(
  args: readonly string[],
  place: { database: TestDatabase; dataDir: string; env?: Record<string, string> },
): Promise<{ code: number; output: string; errors: string }> {
  const { host, port, user, password, database: name } = place.database.connection;
  const address = new URLSearchParams({
    host: String(host),
    port: String(port),
    user: String(user),
    password: String(password),
  });
  const child = spawn(process.execPath, [...launch.flags, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...launch.env,
      DATABASE_URL: `postgres:///${name}?${address}`,
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

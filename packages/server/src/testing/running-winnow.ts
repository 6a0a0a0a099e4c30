import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../compose.ts';
import { loadConfig } from '../platform/config.ts';
import type { App } from '../platform/http/app.ts';
import { openLog } from '../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../platform/testing/database.ts';
import { type Caller, registerCaller } from './caller.ts';

/** Key shared by all test servers. Each can decrypt secrets that another server stored. */
const SECRET_KEY = randomBytes(32).toString('hex');

/** One line of the server's log. */
type LogLine = Record<string, unknown> & { level: string; message?: string };

/** A complete server with the same parts as in production, with its own database. */
export interface RunningWinnow {
  readonly origin: string;
  readonly database: TestDatabase;
  /** All log lines so far. */
  readonly logLines: LogLine[];
  readonly app: App;
  /** Registers a new user with a new account. */
  newCaller(): Promise<Caller>;
  /** Registers a new user with a confirmed email address. */
  newConfirmedCaller(): Promise<Caller>;
  close(): Promise<void>;
}

/**
 * Starts a server on a free port, with jobs. Trackers on this machine may be called. `env` extends
 * or overrides the configuration.
 *
 * Uses the given `database` and does not delete it; otherwise creates a new one. With
 * `isReachable`, PUBLIC_URL is the server's own address, so that trackers can deliver webhooks.
 */
export async function startWinnow({
  env = {},
  database: given,
  isReachable = false,
}: {
  env?: Record<string, string>;
  database?: TestDatabase;
  isReachable?: boolean;
} = {}): Promise<RunningWinnow> {
  const database = given ?? (await createTestDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), 'winnow-http-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = loadConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOWED_HOSTS: '127.0.0.1',
    SECRET_KEY,
    ...(isReachable ? { PUBLIC_URL: origin } : {}),
    ...env,
  });
  const logLines: LogLine[] = [];
  const log = openLog({
    level: 'debug',
    destination: { write: (line) => void logLines.push(JSON.parse(line)) },
  });
  const winnow = await compose({ config, connection: database.connection, log, exclusive: true });
  const app = await winnow.createServer(origin);
  await app.listen({ host: '127.0.0.1', port });
  await winnow.startWork();
  return {
    origin,
    database,
    logLines,
    app,
    newCaller: () => registerCaller(origin),
    async newConfirmedCaller() {
      const caller = await registerCaller(origin);
      const confirmed = { email_verified_at: new Date(), owner_confirmed_at: new Date() };
      const users = database.db.updateTable('app_user').set(confirmed);
      await users.where('username', '=', caller.name).execute();
      return caller;
    },
    async close() {
      await app.close();
      await winnow.close();
      if (given === undefined) await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.');
  return address.port;
}

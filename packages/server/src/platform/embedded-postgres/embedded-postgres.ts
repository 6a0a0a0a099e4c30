import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import type { Log } from '../log.ts';
import { type Binaries, findPackagedBinaries, prepareBinaries, programPath } from './binaries.ts';
import { type Cluster, findCluster, openCluster, readPassword } from './cluster.ts';
import { type DataFolderLock, dataFolderHolder, lockDataFolder } from './data-folder-lock.ts';
import { EmbeddedPostgresError, systemErrorCode } from './embedded-postgres-error.ts';
import { clearOrphan } from './orphan.ts';
import { Postmaster } from './postmaster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { chooseServerAccount, type ServerAccount } from './server-account.ts';
import { SOCKET_PORT, serverEnvironment, serverSettings } from './server-settings.ts';
import { makeSocketFolder } from './socket-folder.ts';

/** A running embedded PostgreSQL server. */
export interface EmbeddedPostgres {
  readonly connection: PoolConfig;
  /** Stops the server and releases the data folder. Close the pools first. Safe to call twice. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Absolute path of the data folder, which is created if it is missing. */
  readonly dataDir: string;
  readonly log: Log;
  /**
   * Behavior if another Winnow process holds the data folder. `refuse` (the default) throws.
   * `attach` uses the database server of that process, so that a command can run while Winnow runs.
   * {@link EmbeddedPostgres.stop} does not stop that server.
   */
  readonly ifInUse?: 'refuse' | 'attach';
  /** If false, PostgreSQL does not wait for the disk. Only for tests. Default true. */
  readonly durable?: boolean;
}

/**
 * Maximum wait for another process to release the data folder, such as the previous one during a
 * restart.
 */
const LOCK_WAIT_MS = 2_000;
const LOCK_POLL_MS = 50;
const ATTACH_TIMEOUT_MS = 30_000;
const ATTACH_POLL_MS = 50;

/**
 * Starts the embedded PostgreSQL on `DATA_DIR/postgres` and waits until it accepts connections.
 * Creates the database if it does not exist. Only one process at a time may use a data folder.
 *
 * Cleans up after an interrupted run: a server still running, a stale pid file, a socket.
 *
 * @throws {EmbeddedPostgresError} with a message for the operator
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, ifInUse = 'refuse', durable = true } = options;
  const dataDir = makeDataFolder(options.dataDir);
  const lock = ifInUse === 'attach' ? lockDataFolder(dataDir) : await lockWithin(LOCK_WAIT_MS, dataDir);
  if (lock === null) {
    if (ifInUse === 'attach') return attach(dataDir);
    const pid = dataFolderHolder(dataDir);
    throw new EmbeddedPostgresError(
      `Another Winnow${pid === null ? '' : ` (process ${pid})`} is using the data folder ${dataDir}. Stop it first, or set a different DATA_DIR.`,
    );
  }
  try {
    const started = await start(dataDir, log, durable);
    return {
      connection: started.connection,
      async stop() {
        await started.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function start(dataDir: string, log: Log, durable: boolean): Promise<EmbeddedPostgres> {
  const account = chooseServerAccount(dataDir);
  const binaries = prepareBinaries(findPackagedBinaries(), account, dataDir);
  const cluster = openCluster(dataDir, account, binaries);
  await clearOrphan(cluster.folder, log);
  const onWindows = process.platform === 'win32';
  const address = onWindows
    ? { tcpPort: await freePort() }
    : { socketFolder: makeSocketFolder(account, dataDir) };
  const removeSocketFolder = () => {
    if ('socketFolder' in address) rmSync(address.socketFolder, { recursive: true, force: true });
  };
  const postmaster = new Postmaster({
    cluster,
    binaries,
    account,
    log,
    settings: serverSettings({ address, durable }),
    socketFolder: 'socketFolder' in address ? address.socketFolder : null,
  });
  try {
    await postmaster.start();
  } catch (error) {
    removeSocketFolder();
    throw error;
  }
  const synced = cluster.isNew && durable ? flushToDisk(cluster, binaries, account, log) : Promise.resolve();
  if (!cluster.folder.startsWith(dataDir)) {
    log.info({ folder: cluster.folder, user: account.name }, 'The database is outside the data folder.');
  }
  return {
    connection: connectionTo(
      cluster.password,
      'socketFolder' in address
        ? { host: address.socketFolder, port: SOCKET_PORT }
        : { host: '127.0.0.1', port: address.tcpPort },
    ),
    async stop() {
      await synced;
      await postmaster.stop();
      removeSocketFolder();
    },
  };
}

async function lockWithin(timeoutMs: number, dataDir: string): Promise<DataFolderLock | null> {
  for (let waitedMs = 0; ; waitedMs += LOCK_POLL_MS) {
    const lock = lockDataFolder(dataDir);
    if (lock !== null || waitedMs >= timeoutMs) return lock;
    await pause(LOCK_POLL_MS);
  }
}

function makeDataFolder(dataDir: string): string {
  try {
    // The data folder is readable only by its owner. Its parent folders get the default mode.
    mkdirSync(dirname(dataDir), { recursive: true });
    if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700 });
    return realpathSync(dataDir);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    throw new EmbeddedPostgresError(
      `The data folder ${dataDir} cannot be created (${systemErrorCode(error)}). Set DATA_DIR to a folder that the user running Winnow may write to.`,
      error,
    );
  }
}

/**
 * Flushes a new database to disk in the background, since initdb does not wait for the disk.
 */
async function flushToDisk(
  cluster: Cluster,
  binaries: Binaries,
  account: ServerAccount,
  log: Log,
): Promise<void> {
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(programPath(binaries, 'initdb'), ['--sync-only', `--pgdata=${cluster.folder}`], {
      ...account.identity,
      ...serverEnvironment(),
      cwd: cluster.folder,
      stdio: 'ignore',
    });
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  if (code === 0) log.debug('The new database was flushed to disk.');
  else log.error({ code }, 'The new database could not be flushed to disk completely. Check the disk.');
}

async function attach(dataDir: string): Promise<EmbeddedPostgres> {
  for (let waitedMs = 0; waitedMs < ATTACH_TIMEOUT_MS; waitedMs += ATTACH_POLL_MS) {
    const folder = findCluster(dataDir);
    const server = folder === null ? null : readPostmasterFile(folder);
    if (folder !== null && server?.isReady) {
      const host = server.socketFolder === '' ? '127.0.0.1' : server.socketFolder;
      const connection = connectionTo(readPassword(folder), { host, port: server.port });
      return { connection, stop: () => Promise.resolve() };
    }
    await pause(ATTACH_POLL_MS);
  }
  throw new EmbeddedPostgresError(
    `The Winnow process that uses the data folder ${dataDir} does not get its database ready. Check its log, or stop it and try again.`,
  );
}

function connectionTo(password: string, at: { host: string; port: number }): PoolConfig {
  return { ...at, user: 'winnow', password, database: 'postgres' };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Error('The system assigned no port.'));
      });
    });
  });
}

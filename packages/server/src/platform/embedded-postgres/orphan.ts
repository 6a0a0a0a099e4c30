import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { EmbeddedPostgresError, systemErrorCode } from './embedded-postgres-error.ts';
import { readPostmasterFile, removePostmasterFile } from './postmaster-file.ts';
import { SOCKET_FOLDER_PREFIX } from './socket-folder.ts';

/** Signals and their time limits: fast shutdown with rollback, immediate shutdown, and kill. */
const STOP_SIGNALS = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;
const POLL_MS = 20;

/**
 * Stops a server that an interrupted Winnow left running on these files. Only the holder of the
 * data folder's lock may call it; then no other Winnow uses that server. Removes a `postmaster.pid`
 * whose pid now belongs to another program. Keeps the file if its process is dead: PostgreSQL
 * removes it after checking for remaining shared memory.
 *
 * @throws {EmbeddedPostgresError} if the old server does not end
 */
export async function clearOrphan(clusterFolder: string, log: Log): Promise<void> {
  const left = readPostmasterFile(clusterFolder);
  if (left === null) return;
  if (isAlive(left.pid)) {
    if (isServerOf(left.pid, clusterFolder)) {
      log.warn({ pid: left.pid }, 'Stopping the PostgreSQL server that an interrupted Winnow left running.');
      await stopProcess(left.pid, clusterFolder);
    } else {
      removePostmasterFile(clusterFolder);
    }
  }
  if (basename(left.socketFolder).startsWith(SOCKET_FOLDER_PREFIX)) {
    rmSync(left.socketFolder, { recursive: true, force: true });
  }
}

async function stopProcess(pid: number, clusterFolder: string): Promise<void> {
  for (const [signal, timeoutMs] of STOP_SIGNALS) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (systemErrorCode(error) === 'ESRCH') return;
      break;
    }
    for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_MS) {
      if (!isAlive(pid) || !isServerOf(pid, clusterFolder)) return;
      await pause(POLL_MS);
    }
  }
  throw new EmbeddedPostgresError(
    `A PostgreSQL left over from an earlier run (process ${pid}) is still using ${clusterFolder} and cannot be stopped. Stop it and start Winnow again.`,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

/**
 * True if the command line of the process is that of a PostgreSQL server on these files. A pid
 * alone may have been reused.
 */
function isServerOf(pid: number, clusterFolder: string): boolean {
  return commandLine(pid).includes(clusterFolder);
}

function commandLine(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch (error) {
      if (systemErrorCode(error) !== undefined) return '';
      throw error;
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { EmbeddedPostgresError, systemErrorCode } from './embedded-postgres-error.ts';
import { readPostmasterFile, removePostmasterFile } from './postmaster-file.ts';
import { SOCKET_FOLDER_PREFIX } from './socket-folder.ts';

/**
 * Shutdown signals in order of severity, each with the time that the server gets to stop: fast
 * shutdown with rollback, immediate shutdown, and kill.
 */
const STOP_SIGNALS = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;
const POLL_MS = 20;

/**
 * Stops a server that an interrupted Winnow left running on these files. Call it only while holding
 * the data folder's lock, so that no other Winnow uses that server.
 *
 * Removes `postmaster.pid` if its pid belongs to another program. Keeps the file if its process is
 * dead: PostgreSQL removes it after checking for remaining shared memory.
 *
 * @throws {EmbeddedPostgresError} if the server does not stop
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
 * True if the process is a PostgreSQL server on these files, by its command line. A matching pid is
 * not enough, because the system reuses pids.
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

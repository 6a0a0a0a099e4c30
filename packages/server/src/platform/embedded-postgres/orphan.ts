import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { EmbeddedPostgresError, systemErrorCode } from './embedded-postgres-error.ts';
import { readPostmasterFile, removePostmasterFile } from './postmaster-file.ts';
import { SOCKET_FOLDER_PREFIX } from './socket-folder.ts';

/** What is sent, and how long each is given: finish transactions' rollback and stop; stop at once; the system's own way. */
const STEPS = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;
const POLL_MS = 20;

/**
 * Clears the way for a new server on these files after a Winnow that ended without stopping its own. To be called only
 * by the holder of the data folder's lock: then a server still running belongs to nobody, and is stopped. A
 * `postmaster.pid` whose number now belongs to some other program is removed; one of a dead process is left to
 * PostgreSQL, which looks for surviving shared memory first.
 * Throws {@link EmbeddedPostgresError} when the old server does not end.
 */
export async function clearOrphan(clusterFolder: string, log: Log): Promise<void> {
  const left = readPostmasterFile(clusterFolder);
  if (left === null) return;
  if (isAlive(left.pid)) {
    if (isServerOf(left.pid, clusterFolder)) {
      log.warn({ pid: left.pid }, 'Stopping the PostgreSQL that an interrupted Winnow left running.');
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
  for (const [signal, timeoutMs] of STEPS) {
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

/** Whether the process is a PostgreSQL server on these files: its command line names them; pids are used again. */
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

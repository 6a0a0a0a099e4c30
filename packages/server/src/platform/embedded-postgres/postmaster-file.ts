import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode } from './embedded-postgres-error.ts';

/** Content of the `postmaster.pid` that a running server writes. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Folder of the Unix socket. Empty if the server listens on TCP only. */
  readonly socketFolder: string;
  readonly isReady: boolean;
}

/** Reads `postmaster.pid` of a cluster. Returns null if the file does not exist. */
export function readPostmasterFile(clusterFolder: string): PostmasterFile | null {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory key, state.
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return {
    pid,
    port: Number(lines[3]),
    socketFolder: lines[4]?.trim() ?? '',
    isReady: lines[7]?.trim() === 'ready',
  };
}

/** Removes `postmaster.pid`. Safe only if no server of this cluster can be alive. */
export function removePostmasterFile(clusterFolder: string): void {
  rmSync(join(clusterFolder, 'postmaster.pid'), { force: true });
}

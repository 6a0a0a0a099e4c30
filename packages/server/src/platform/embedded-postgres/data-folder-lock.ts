import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Lock that this process holds while it uses the data folder. */
export interface DataFolderLock {
  release(): void;
}

const FILE = 'postgres.lock';
const SQLITE_BUSY = 5;

/**
 * Locks the data folder for this process. Returns null if another process holds the lock.
 *
 * Node has no file locks, so the lock is an open write transaction of SQLite. The operating system
 * drops it when the process ends (fcntl or LockFileEx). No other code of this process may open the
 * lock file: closing it would drop the lock.
 *
 * @throws {EmbeddedPostgresError} if the file system does not support locks
 */
export function lockDataFolder(dataDir: string, pid = process.pid): DataFolderLock | null {
  const database = new DatabaseSync(join(dataDir, FILE), { timeout: 0, open: false });
  try {
    database.open();
    leaveToFolderOwner(dataDir);
    database.exec('begin immediate');
    database.exec('create table if not exists holder (pid integer not null); delete from holder');
    database.prepare('insert into holder values (?)').run(pid);
    // The pid is committed, so other processes can read it. The next write transaction stays open
    // and is the lock.
    database.exec('commit');
    database.exec('begin immediate');
  } catch (error) {
    if (database.isOpen) database.close();
    if (isBusy(error)) return null;
    throw new EmbeddedPostgresError(
      `The data folder ${dataDir} cannot be locked. Set DATA_DIR to a folder on a local disk that the user running Winnow may write to.`,
      error,
    );
  }
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}

/**
 * Returns the pid of the process that holds the data folder; null if unknown. Call it only after
 * locking failed.
 */
export function dataFolderHolder(dataDir: string): number | null {
  const database = new DatabaseSync(join(dataDir, FILE), { timeout: 200, readOnly: true });
  try {
    const row = database.prepare('select pid from holder').get();
    return typeof row?.pid === 'number' ? row.pid : null;
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  } finally {
    database.close();
  }
}

/**
 * Makes the folder's owner the owner of the lock file. Otherwise the owner could not access a file
 * that root has created.
 */
function leaveToFolderOwner(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(join(dataDir, FILE), uid, gid);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

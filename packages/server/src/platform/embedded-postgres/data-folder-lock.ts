import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Held as long as this process uses the data folder. */
export interface DataFolderLock {
  release(): void;
}

const FILE = 'postgres.lock';
const SQLITE_BUSY = 5;

/**
 * Takes the data folder for this process; null when another one has it. Node offers no file locks of its own, but an
 * open write transaction of SQLite is one: the operating system keeps it (fcntl or LockFileEx) and drops it with the
 * process, however that ends. No other code may open the file in this process: closing it would drop the lock.
 * Throws {@link EmbeddedPostgresError} when the folder's file system knows no locks.
 */
export function lockDataFolder(dataDir: string, pid = process.pid): DataFolderLock | null {
  const database = new DatabaseSync(join(dataDir, FILE), { timeout: 0, open: false });
  try {
    database.open();
    leaveToFolderOwner(dataDir);
    database.exec('begin immediate');
    database.exec('create table if not exists holder (pid integer not null); delete from holder');
    database.prepare('insert into holder values (?)').run(pid);
    // Others must be able to read the pid, so it is committed; whoever gets the next write transaction has the folder.
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

/** The process that holds the data folder, or null when it cannot be told. Only to be asked when locking failed. */
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

/** A file that root makes in somebody's folder must not lock its owner out later. */
function leaveToFolderOwner(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(join(dataDir, FILE), uid, gid);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

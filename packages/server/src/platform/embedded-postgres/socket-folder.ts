import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError, systemErrorCode } from './embedded-postgres-error.ts';
import { commandSucceeds, type ServerAccount } from './server-account.ts';
import { SOCKET_PORT } from './server-settings.ts';

export const SOCKET_FOLDER_PREFIX = 'winnow-pg-';

/**
 * Maximum length of a socket path. The system's field for it (`sun_path`) holds 104 bytes on macOS
 * and 108 on Linux, including the final zero byte.
 */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Creates a folder for the server's socket. Only the account and root may enter it, and its path is
 * short enough for a socket address. Tries the system's temporary folder, `/tmp` and the data
 * folder.
 *
 * @throws {EmbeddedPostgresError} if none of these folders works
 */
export function makeSocketFolder(account: ServerAccount, dataDir: string): string {
  for (const parent of [tmpdir(), '/tmp', dataDir]) {
    const folder = tryIn(parent, account);
    if (folder !== null) return folder;
  }
  throw new EmbeddedPostgresError(
    `No folder with a short enough path was found for PostgreSQL's socket. Let ${account.name} write to /tmp, or set DATA_DIR to a shorter path.`,
  );
}

function tryIn(parent: string, account: ServerAccount): string | null {
  const socket = join(parent, `${SOCKET_FOLDER_PREFIX}XXXXXX`, `.s.PGSQL.${SOCKET_PORT}.lock`);
  if (Buffer.byteLength(socket) > MAX_SOCKET_PATH_BYTES) return null;
  try {
    const folder = mkdtempSync(join(parent, SOCKET_FOLDER_PREFIX));
    if (account.identity.uid === undefined) return folder;
    chownSync(folder, account.identity.uid, account.identity.gid);
    if (commandSucceeds(account, 'cd "$1"', folder)) return folder;
    rmSync(folder, { recursive: true });
    return null;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return null;
  }
}

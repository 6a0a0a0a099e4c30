import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Outbox = {
  /**
   * Writes an email to a new file that only the current user can read. Returns the path of the
   * file.
   */
  write(kind: string, message: Buffer, at: Date): Promise<string>;
};

/**
 * Opens the folder `outbox` in the data folder. Emails are written there while no mail server is
 * configured. Creates the folder if necessary.
 */
export async function openOutbox(dataDir: string): Promise<Outbox> {
  const folder = join(dataDir, 'outbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    async write(kind, message, at) {
      const time = at.toISOString().replaceAll(':', '-').replace('.', '-');
      const name = (kind.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-').slice(0, 40);
      const path = join(folder, `${time}-${name}-${randomBytes(3).toString('hex')}.eml`);
      await writeFile(path, message, { mode: 0o600, flag: 'wx' });
      return path;
    },
  };
}

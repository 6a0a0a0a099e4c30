import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Outbox = {
  /** Writes one message to a file of its own that only this user can read, and answers the file's path. */
  write(kind: string, message: Buffer, at: Date): Promise<string>;
};

/** Opens (and makes) the folder `outbox` of the data folder: where mails go while there is no mail server. */
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

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect } from '../fixtures/test.ts';

/**
 * Returns the link in the newest email of this kind to an address. Without a mail server, the
 * product stores emails in its outbox.
 */
export async function emailedLink(dataDir: string, kind: string, to: string): Promise<string> {
  let link = '';
  await expect
    .poll(async () => {
      const folder = join(dataDir, 'outbox');
      const files = (await readdir(folder))
        .filter((name) => name.includes(kind))
        .sort()
        .reverse();
      for (const file of files) {
        const mail = await PostalMime.parse(await readFile(join(folder, file)));
        if (mail.to?.[0]?.address !== to) continue;
        link = /https?:\/\/\S+/.exec(mail.text ?? '')?.[0] ?? '';
        return link;
      }
      return '';
    }, `a mail "${kind}" to ${to}`)
    .not.toBe('');
  return link;
}

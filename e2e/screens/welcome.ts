import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { ServerProcess } from '@winnow/tools/product/server-process.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/** Invites somebody as the operator does, beside the running product; answers the link that was mailed. */
export async function invite(product: ServerProcess, email: string): Promise<string> {
  const { port } = new URL(product.url);
  await run(process.execPath, [MAIN, 'invite', email], {
    env: { ...process.env, PORT: port, DATA_DIR: product.dataDir, LOG_LEVEL: 'warn' },
  });
  const outbox = join(product.dataDir, 'outbox');
  const encoded = new URLSearchParams({ email }).toString();
  for (const name of await readdir(outbox)) {
    const link = linkOf(await readFile(join(outbox, name), 'utf8'));
    if (link?.includes(`${encoded}&`)) return link;
  }
  throw new Error(`No mail to ${email} has a link.`);
}

/** The first link of a mail; its lines may be folded by quoted-printable. */
function linkOf(mail: string): string | undefined {
  const text = mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /http:\/\/\S+\/welcome\?\S+/.exec(text)?.[0];
}

/** Fills in the form of an invitation, and sends it; a username that is not given stays as proposed. */
export async function chooseAndComplete(
  page: Page,
  { username, password }: { username?: string; password: string },
): Promise<void> {
  if (username !== undefined) await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Complete Registration' }).click();
}

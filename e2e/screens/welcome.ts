import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { ServerProcess } from '@winnow/server/src/testing/server-process.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

/**
 * Invites a user with the operator's command while the product runs. Returns the link in the
 * invitation.
 */
export async function invite(product: ServerProcess, email: string): Promise<string> {
  const { port } = new URL(product.url);
  const { stdout } = await run(process.execPath, [MAIN, 'invite', email], {
    env: { ...process.env, PORT: port, DATA_DIR: product.dataDir, LOG_LEVEL: 'warn' },
  });
  const link = /^http:\S+\/welcome\?\S+$/m.exec(stdout)?.[0];
  if (link === undefined) throw new Error(`No link was printed: ${stdout}`);
  return link;
}

/** Fills in and submits the invitation form. Without `username`, the suggested username is used. */
export async function chooseAndComplete(
  page: Page,
  { username, password }: { username?: string; password: string },
): Promise<void> {
  if (username !== undefined) await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Complete Registration' }).click();
}

import type { Page } from '@playwright/test';

/** Fills in and submits the sign-in form. */
export async function signIn(page: Page, { username, password }: { username: string; password: string }) {
  await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Sets entries in the storage of the browser without opening a screen. */
export async function storeBeforeStart(page: Page, entries: Record<string, string>) {
  await page.goto('/theme.js');
  await page.evaluate((given) => {
    for (const [key, value] of Object.entries(given)) localStorage.setItem(key, value);
  }, entries);
}

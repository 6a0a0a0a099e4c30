import type { Locator, Page } from '@playwright/test';

/** Opens the dialog that creates an API key. */
export async function openNewKey(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API Key' });
  await dialog.waitFor();
  return dialog;
}

/**
 * Creates an API key with the suggested settings. Returns the dialog that shows the key, and the
 * key itself.
 */
export async function createKey(page: Page, name: string): Promise<{ shown: Locator; key: string }> {
  const dialog = await openNewKey(page);
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  const key = await shown.getByText(/^wnw_\w+$/).textContent();
  if (key === null) throw new Error('No key is shown.');
  return { shown, key };
}

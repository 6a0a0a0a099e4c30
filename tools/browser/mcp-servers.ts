import type { Locator, Page } from '@playwright/test';

/** Opens the dialog that adds an MCP server. */
export async function openNewServer(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add MCP Server' });
  await dialog.waitFor();
  return dialog;
}

/** Fills in the form for an MCP server without authentication. */
export async function fillServer(
  dialog: Locator,
  { name, url }: { name: string; url: string },
): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
}

/** Adds an MCP server and waits until its tools are listed. */
export async function addServer(page: Page, server: { name: string; url: string }): Promise<void> {
  const dialog = await openNewServer(page);
  await fillServer(dialog, server);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: server.name }) });
  await row.getByText(/^(Connected|Failing)$/).waitFor();
}

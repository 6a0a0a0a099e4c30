import type { Locator, Page } from '@playwright/test';

/** Opens the dialog that adds a model. */
export async function openNewModel(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add model' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Model' });
  await dialog.waitFor();
  return dialog;
}

/** Chooses an option of a select field in the dialog. */
export async function choose(dialog: Locator, label: string, choice: string): Promise<void> {
  await dialog.getByRole('combobox', { name: label, exact: true }).click();
  await dialog.page().getByRole('option', { name: choice, exact: true }).click();
}

/** Fills in the form for a model of a custom server. By default, the emulator lists the model. */
export async function fillModel(
  dialog: Locator,
  { name, url, model = 'gpt-4o' }: { name: string; url: string; model?: string },
): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await choose(dialog, 'Provider', 'Custom');
  await dialog.getByRole('textbox', { name: 'Model name' }).fill(model);
  await dialog.getByRole('textbox', { name: 'API URL' }).fill(url);
}

/** Adds a model and waits until it is listed. */
export async function addModel(page: Page, model: { name: string; url: string }): Promise<void> {
  const dialog = await openNewModel(page);
  await fillModel(dialog, model);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

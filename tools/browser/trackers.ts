import type { Locator, Page } from '@playwright/test';

/** Returns the dialog that adds or edits a tracker, in any step. */
export function trackerDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /Add New Tracker|Edit Tracker|Configure Project Scope/ });
}

/** Opens the dialog that adds a tracker. */
export async function openNewTracker(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add New Tracker' }).click();
  return atRest(trackerDialog(page));
}

/**
 * Waits until the dialog has the focus. When the dialog opens, it takes the focus, even from a
 * field that is being filled.
 */
async function atRest(dialog: Locator): Promise<Locator> {
  await dialog.locator(':focus').waitFor();
  return dialog;
}

/** Opens the dialog that edits a tracker. */
export async function openEditTracker(page: Page, name: string): Promise<Locator> {
  await trackerCard(page, name)
    .getByRole('button', { name: `Edit ${name}` })
    .click();
  return atRest(trackerDialog(page));
}

/** Returns the card of a tracker. */
export function trackerCard(page: Page, name: string): Locator {
  return page.getByRole('listitem', { name, exact: true });
}

/**
 * Returns the line of an organization in the tree of projects (step 2). The line contains its name
 * and the number of selected projects.
 */
export function organizationLine(dialog: Locator, name: string): Locator {
  return dialog.getByRole('treeitem', { name: new RegExp(`^${name}( |$)`) });
}

/**
 * Returns the line of a project in the tree of projects. The organization of the project must be
 * expanded.
 */
export function projectLine(dialog: Locator, name: string): Locator {
  return dialog.getByRole('treeitem', { name, exact: true });
}

/** Fills in the connection (step 1 of the dialog) and continues. */
export async function fillConnection(
  dialog: Locator,
  given: { name?: string; url?: string; token?: string },
): Promise<void> {
  const fields: [Locator, string | undefined][] = [
    [dialog.getByLabel('Name'), given.name],
    [dialog.getByLabel('URL'), given.url],
    [dialog.getByRole('textbox', { name: 'API Key' }), given.token],
  ];
  for (const [field, text] of fields) if (text !== undefined) await field.fill(text);
  await dialog.getByRole('button', { name: 'Next' }).click();
}

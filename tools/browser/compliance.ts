import type { Locator, Page } from '@playwright/test';

/** Returns the table of issues with their scores. */
export function issueTable(page: Page): Locator {
  return page.getByRole('table', { name: 'Issues' });
}

/** Returns the rows of the list of issues, without the header row. */
export function issueRows(page: Page): Locator {
  return issueTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}

/** Returns the row of the issue with this key. */
export function issueRow(page: Page, key: string): Locator {
  return issueRows(page).filter({ hasText: key });
}

/** Returns the search field of the list of issues. */
export function issueSearch(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search issues' });
}

/**
 * Returns the panel of the open issue. It is a column beside the list, or a drawer on narrow
 * screens.
 */
export function issuePanel(page: Page): Locator {
  const panel = page.getByRole('complementary').or(page.getByRole('dialog'));
  return panel.filter({ has: page.getByRole('heading', { name: 'Issue Details' }) });
}

/** Returns the dialog that improves the texts of an issue. */
export function improveDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Improve Issue Compliance/ });
}

/** Chooses a prompt, or another entry in the menu of prompts. */
export async function choosePrompt(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Compliance type' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

/** Opens the dialog that manages prompts. */
export async function managePrompts(page: Page): Promise<Locator> {
  await choosePrompt(page, 'Manage prompts…');
  const dialog = page.getByRole('dialog', { name: 'Manage prompts' });
  await dialog.waitFor();
  return dialog;
}

/** Opens the list of issues with scores, and waits for the scores on its first page. */
export async function openScores(page: Page, search = ''): Promise<void> {
  await page.goto(`/console/issues/compliance${search}`);
  await issueRows(page)
    .first()
    .getByText(/^\d+%$/)
    .waitFor();
}

/** Returns the map of issues. It is a drawing with its own keyboard navigation. */
export function issueMap(page: Page): Locator {
  return page.getByRole('application', { name: 'Map of similar issues' });
}

/** Opens the list of issues with the map above it, and waits for both. */
export async function openMap(page: Page, search = ''): Promise<void> {
  await openScores(page, `?view=map${search}`);
  await issueMap(page).locator('canvas').waitFor();
}

/** Issues of the sample backlog that the tests use. */
export const sampleIssues = {
  /** A report that states steps, expected behavior and version. */
  complete: 'skua/sync#1596',
  /** A request that consists of one sentence. */
  vague: 'skua/sync#1588',
} as const;

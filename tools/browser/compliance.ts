import type { Locator, Page } from '@playwright/test';

/** The table of issues with their scores. */
export function issueTable(page: Page): Locator {
  return page.getByRole('table', { name: 'Issues' });
}

/** The rows that list an issue; the row of headings is none of them. */
export function issueRows(page: Page): Locator {
  return issueTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}

/** The row of the issue with this key. */
export function issueRow(page: Page, key: string): Locator {
  return issueRows(page).filter({ hasText: key });
}

/** Searches issues. */
export function issueSearch(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search issues' });
}

/** What is known of the open issue: a column beside the list, or a drawer over it where there is no room for one. */
export function issuePanel(page: Page): Locator {
  const panel = page.getByRole('complementary').or(page.getByRole('dialog'));
  return panel.filter({ has: page.getByRole('heading', { name: 'Issue Details' }) });
}

/** The dialog that gives an issue better texts. */
export function improveDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Improve Issue Compliance/ });
}

/** Chooses by what the issues are judged, or another entry of that list. */
export async function choosePrompt(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Compliance type' }).click();
  await page.getByRole('option', { name, exact: true }).click();
}

/** Opens the dialog of prompts. */
export async function managePrompts(page: Page): Promise<Locator> {
  await choosePrompt(page, 'Manage prompts…');
  const dialog = page.getByRole('dialog', { name: 'Manage prompts' });
  await dialog.waitFor();
  return dialog;
}

/** Opens the list, and waits for the scores of its first page. */
export async function openScores(page: Page, search = ''): Promise<void> {
  await page.goto(`/console/issues/compliance${search}`);
  await issueRows(page)
    .first()
    .getByText(/^\d+%$/)
    .waitFor();
}

/** The map of issues: a drawing that has the keyboard to itself. */
export function issueMap(page: Page): Locator {
  return page.getByRole('application', { name: 'Map of similar issues' });
}

/** Opens the list with the map over it, and waits for both. */
export async function openMap(page: Page, search = ''): Promise<void> {
  await openScores(page, `?view=map${search}`);
  await issueMap(page).locator('canvas').waitFor();
}

/** Issues of the sample backlog that the tests speak of. */
export const sampleIssues = {
  /** A report with steps, expectation and version. */
  complete: 'skua/sync#1596',
  /** A wish in a sentence. */
  vague: 'skua/sync#1588',
} as const;

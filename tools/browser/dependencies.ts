import type { Locator, Page } from '@playwright/test';

/** Returns the rows of the list of issues, without the header row. */
export function issueRows(page: Page): Locator {
  return page
    .getByRole('table', { name: 'Issues' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}

/** Returns the row of the issue with this title. */
export function issueRow(page: Page, title: string): Locator {
  return issueRows(page).filter({ has: page.getByRole('link', { name: title }) });
}

/** Returns the badge with this accessible name in a row. */
export function badge(row: Locator, name: RegExp): Locator {
  return row.getByRole('button', { name });
}

/** Returns the details that appear when a badge is opened. */
export function badgeDetails(page: Page): Locator {
  return page.getByRole('dialog').filter({ hasText: 'confidence' });
}

/**
 * Returns the panel of the open issue. It is a column beside the list, or a drawer on narrow
 * screens.
 */
export function issuePanel(page: Page): Locator {
  const panel = page.getByRole('complementary').or(page.getByRole('dialog'));
  return panel.filter({ has: page.getByRole('heading', { name: 'Issue Details' }) });
}

/** Returns the dialog that commits dependencies. */
export function commitDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Commit/ });
}

/**
 * Returns the dependencies in the commit dialog. They appear first in the preview, then in the
 * results.
 */
export function commitItems(page: Page): Locator {
  return commitDialog(page).getByRole('list', { name: 'Dependencies' }).locator('> li');
}

/** Returns the graph of dependencies. */
function graph(page: Page): Locator {
  return page.getByRole('region', { name: 'Drawing of the graph' });
}

/** Returns the node of the graph with this accessible name. */
export function graphNode(page: Page, name: RegExp): Locator {
  return graph(page).getByRole('link', { name });
}

/** Waits until the listed issues have been scanned for dependencies. */
export async function whenScanned(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: /scanned/ })
    .waitFor();
}

import type { Locator, Page } from '@playwright/test';

/** The rows that list an issue; the row of headings is none of them. */
export function issueRows(page: Page): Locator {
  return page
    .getByRole('table', { name: 'Issues' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}

/** The row of the issue with this title. */
export function issueRow(page: Page, title: string): Locator {
  return issueRows(page).filter({ has: page.getByRole('link', { name: title }) });
}

/** A badge of a row: what it says to who does not see it begins like this. */
export function badge(row: Locator, name: RegExp): Locator {
  return row.getByRole('button', { name });
}

/** What an open badge shows. */
export function badgeDetails(page: Page): Locator {
  return page.getByRole('dialog').filter({ hasText: 'confidence' });
}

/** What is known of the open issue: a column beside the list, or a drawer over it where there is no room for one. */
export function issuePanel(page: Page): Locator {
  const panel = page.getByRole('complementary').or(page.getByRole('dialog'));
  return panel.filter({ has: page.getByRole('heading', { name: 'Issue Details' }) });
}

/** The dialog that commits. */
export function commitDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Commit/ });
}

/** The dependencies of the dialog that commits: what would be written, then what became of it. */
export function commitItems(page: Page): Locator {
  return commitDialog(page).getByRole('list', { name: 'Dependencies' }).locator('> li');
}

/** The drawn graph. */
export function graph(page: Page): Locator {
  return page.getByRole('region', { name: 'Drawing of the graph' });
}

/** An issue of the drawn graph, by the beginning of what it says. */
export function graphNode(page: Page, name: RegExp): Locator {
  return graph(page).getByRole('link', { name });
}

/** Waits until the issues that are listed were scanned. */
export async function whenScanned(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: /scanned/ })
    .waitFor();
}

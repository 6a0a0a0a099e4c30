import type { Locator, Page } from '@playwright/test';
import { pressDeliberately } from './press-deliberately.ts';

/** Returns the table of pairs. */
export function pairTable(page: Page): Locator {
  return page.getByRole('table', { name: 'Similar issues' });
}

/** Returns the rows of the list of pairs, without the header row. */
export function pairRows(page: Page): Locator {
  return pairTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}

/** Returns the row of the pair with these two issues. */
export function pairRow(page: Page, keys: { older: string; newer: string }): Locator {
  return pairRows(page).filter({ hasText: keys.older }).filter({ hasText: keys.newer });
}

/** Returns the search field of the list of pairs, for keys and titles. */
export function searchField(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search keys and titles' });
}

/** Searches for pairs, and waits until the search has started. The search closes an open pair. */
export async function searchPairs(page: Page, text: string): Promise<void> {
  await searchField(page).fill(text);
  await page.waitForURL((url) => url.searchParams.get('query') === text);
}

/**
 * Decides about a pair in the list by pressing a key, after the minimum interval between decisions.
 */
export async function decideByKey(row: Locator, key: 'u' | 'e'): Promise<void> {
  await row.focus();
  await pressDeliberately(row.page(), key);
}

/** Returns the tag of an active filter: its name, its value, and the button to remove it. */
export function filterTag(page: Page, name: string): Locator {
  return page.getByRole('button', { name: `Remove the filter ${name}` }).locator('..');
}

/**
 * Returns the panel of the open pair. It is a column beside the list, or a drawer on narrow
 * screens.
 */
export function pairPanel(page: Page): Locator {
  const panel = page.getByRole('complementary').or(page.getByRole('dialog'));
  return panel.filter({ has: page.getByRole('heading', { name: 'Issue Pair Details' }) });
}

/** Returns an option of a group of radio buttons. */
export function choice(within: Locator, group: string, name: string): Locator {
  return within.getByRole('radiogroup', { name: group }).getByRole('radio', { name, exact: true });
}

/** Returns a toast message. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status').filter({ hasText: text });
}

/** Returns the list of recent decisions with their undo buttons. */
export function recentDecisions(page: Page): Locator {
  return page.getByRole('region', { name: 'Recent decisions' });
}

/** Returns the issue keys of the listed pairs from top to bottom. */
export async function listedKeys(page: Page): Promise<string[]> {
  const texts = await pairRows(page).allTextContents();
  return texts.map((text) => (text.match(/skua\/\w+#\d+/g) ?? []).join(' '));
}

/** Pairs of the sample backlog that the tests use. */
export const samplePairs = {
  /** Two issues with identical words. */
  identical: { older: 'skua/sync#1430', newer: 'skua/sync#1431' },
  /** The same error, reported from two platforms. */
  sameError: { older: 'skua/sync#1236', newer: 'skua/sync#1419' },
  /** The same fault, described by its symptoms and by its code. */
  reworded: { older: 'skua/web#609', newer: 'skua/web#718' },
  /** The same error, as printed by two browsers. */
  consoleError: { older: 'skua/web#649', newer: 'skua/web#738' },
  /** A request, and a request for the opposite. */
  opposite: { older: 'skua/web#612', newer: 'skua/web#779' },
} as const;

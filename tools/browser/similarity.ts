import type { Locator, Page } from '@playwright/test';
import { pressDeliberately } from './press-deliberately.ts';

/** The table of pairs. */
export function pairTable(page: Page): Locator {
  return page.getByRole('table', { name: 'Similar issues' });
}

/** The rows that list a pair; the row of headings is none of them. */
export function pairRows(page: Page): Locator {
  return pairTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}

/** The row of the pair of these two issues. */
export function pairRow(page: Page, keys: { older: string; newer: string }): Locator {
  return pairRows(page).filter({ hasText: keys.older }).filter({ hasText: keys.newer });
}

/** Searches the list by keys and titles. */
export function searchField(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search keys and titles' });
}

/** Searches for pairs, and waits until the search has begun: it closes what was opened before. */
export async function searchPairs(page: Page, text: string): Promise<void> {
  await searchField(page).fill(text);
  await page.waitForURL((url) => url.searchParams.get('query') === text);
}

/** Decides about a pair of the list with a key, as somebody who has read it. */
export async function decideByKey(row: Locator, key: 'u' | 'e'): Promise<void> {
  await row.focus();
  await pressDeliberately(row.page(), key);
}

/** A filter that is on: its name and its value, with the button that takes it away. */
export function filterTag(page: Page, name: string): Locator {
  return page.getByRole('button', { name: `Remove the filter ${name}` }).locator('..');
}

/** What is known of the open pair: a column beside the list, or a drawer over it where there is no room for one. */
export function pairPanel(page: Page): Locator {
  const panel = page.getByRole('complementary').or(page.getByRole('dialog'));
  return panel.filter({ has: page.getByRole('heading', { name: 'Issue Pair Details' }) });
}

/** A choice of a group of radio buttons. */
export function choice(within: Locator, group: string, name: string): Locator {
  return within.getByRole('radiogroup', { name: group }).getByRole('radio', { name, exact: true });
}

/** A message at the bottom right. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.getByRole('status').filter({ hasText: text });
}

/** What the user decided last, each with its way back. */
export function recentDecisions(page: Page): Locator {
  return page.getByRole('region', { name: 'Recent decisions' });
}

/** The keys of the pairs that are listed, from top to bottom. */
export async function listedKeys(page: Page): Promise<string[]> {
  const texts = await pairRows(page).allTextContents();
  return texts.map((text) => (text.match(/skua\/\w+#\d+/g) ?? []).join(' '));
}

/** Pairs of the sample backlog that the tests speak of. */
export const samplePairs = {
  /** The same words twice. */
  identical: { older: 'skua/sync#1430', newer: 'skua/sync#1431' },
  /** The same error reported from two platforms. */
  sameError: { older: 'skua/sync#1236', newer: 'skua/sync#1419' },
  /** One fault, seen from outside and from the code. */
  reworded: { older: 'skua/web#609', newer: 'skua/web#718' },
  /** The same error, as two browsers print it. */
  consoleError: { older: 'skua/web#649', newer: 'skua/web#738' },
  /** A wish and its opposite. */
  opposite: { older: 'skua/web#612', newer: 'skua/web#779' },
} as const;

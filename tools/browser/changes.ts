import type { Locator, Page } from '@playwright/test';
import { type Change, change, type ResolutionChoice } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import type { Account } from './account.ts';

/** Returns the rows of the list of changes, without the header row. */
export function changeRows(page: Page): Locator {
  return page
    .getByRole('table', { name: 'Changes' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}

/**
 * Returns the panel of the open change. It is a column beside the list, or a drawer on narrow
 * screens.
 */
export function changePanel(page: Page): Locator {
  const panel = page.getByRole('complementary').or(page.getByRole('dialog'));
  return panel.filter({ has: page.getByRole('heading', { name: 'Change Details' }) });
}

/** Proposes a resolution of a pair over the API. */
export async function propose(
  { api }: Account,
  keys: { older: string; newer: string },
  resolution: ResolutionChoice,
  more: { reason?: string; resulting_issue_1_title?: string; resulting_issue_1_description?: string } = {},
): Promise<Change> {
  const query = new URLSearchParams({ query: keys.newer, status: 'all', limit: '100' });
  const { duplicates } = await api.get(`/issue-duplicates?${query}`, pairList);
  const pair = duplicates.find(
    ({ issue1, issue2 }) => issue1.key === keys.older && issue2.key === keys.newer,
  );
  const body = { issue1_id: pair?.issue1.id, issue2_id: pair?.issue2.id, resolution, ...more };
  return api.send('PATCH', '/issue-duplicates/propose-resolution', body, change);
}

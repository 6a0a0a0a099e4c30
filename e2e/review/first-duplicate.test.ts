import {
  choice,
  pairPanel,
  pairRow,
  pairRows,
  pairTable,
  samplePairs,
  searchPairs,
  toast,
} from '@winnow/tools/browser/similarity.ts';
import { expect, signedIn } from '../fixtures/test.ts';

signedIn('an empty console leads to a closed duplicate and back without reloading', async ({ page }) => {
  const { older, newer } = samplePairs.sameError;
  await page.goto('/console');
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });

  await expect(page.getByText('No projects found.')).toBeVisible();
  await page.getByRole('button', { name: 'Explore with sample data' }).click();
  const suggestions = page.getByRole('region', { name: 'Similar Issue Suggestions' });
  await expect(suggestions.getByRole('listitem')).toHaveCount(3, { timeout: 20_000 });
  await expect(page.getByText('No projects found.')).toBeHidden();
  await suggestions.getByRole('link', { name: 'See all...' }).click();

  await expect(pairRows(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Filters' }).click();
  const filters = page.getByRole('dialog', { name: 'Filters' });
  await choice(filters, 'Issue Status', 'All').check();
  await choice(filters, 'Resolution Status', 'All').check();
  await filters.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/status=all/);
  await searchPairs(page, 'ERR_CHUNK_DIGEST');

  const row = pairRow(page, { older, newer });
  await row
    .getByRole('link', { name: /ERR_CHUNK_DIGEST/ })
    .first()
    .click();
  const panel = pairPanel(page);
  await expect(panel.getByRole('article')).toHaveCount(2);
  await expect(panel.getByText(/^\d+ passages?, (with|numbered) the same/)).toBeVisible();
  for (const side of [0, 1]) {
    await expect(panel.getByRole('article').nth(side).locator('mark').first()).toBeVisible();
  }

  await panel.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: /Resolve Similar Issues/ });
  await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
  await expect(dialog).toHaveAccessibleName('Resolve Similar Issues → Close as Duplicate');
  await expect(dialog.getByText('Select which issue to close. The other will remain open.')).toBeVisible();
  await expect(dialog.getByRole('radio', { checked: true })).toHaveAccessibleName(new RegExp(newer));
  await expect(dialog.getByRole('heading', { name: /^3 writes to/ })).toBeVisible();
  await expect(dialog.getByText(`Closing as a duplicate of ${older}.`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();

  const done = toast(page, `Closed ${newer} as duplicate of ${older}.`);
  await expect(done).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(row.getByText('Closed', { exact: true })).toBeVisible();
  await expect(row.getByRole('img', { name: 'closed' })).toHaveCount(1);
  await expect(row.getByRole('button', { name: 'Resolve' })).toBeHidden();
  await expect(row.getByRole('button', { name: 'Dismiss' })).toBeHidden();

  await done.getByRole('button', { name: /^Undo/ }).click();
  await expect(toast(page, `Undone: Closed ${newer} as duplicate of ${older}.`)).toBeVisible();
  await expect(row.getByRole('button', { name: 'Resolve' })).toBeVisible();
  await expect(row.getByText('Closed', { exact: true })).toBeHidden();
  await expect(row.getByRole('img', { name: 'open' })).toHaveCount(2);
  await expect(pairTable(page)).toBeVisible();
  expect(loads, 'the page was never reloaded').toBe(0);
});

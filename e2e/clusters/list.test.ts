import { clusterPanel, clusterRows, openClusters } from '@winnow/tools/browser/clusters.ts';
import { issueRows, issueSearch } from '@winnow/tools/browser/compliance.ts';
import { pairPanel } from '@winnow/tools/browser/similarity.ts';
import { expectNoViolations, WIDE } from '../accessibility/no-violations.ts';
import { expect, withSample } from '../fixtures/test.ts';

withSample('the panel shows issues, links with evidence, and the way back to the pair', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'system'));
  await openClusters(page, '?probability=0');
  const row = clusterRows(page).filter({ hasText: 'ERR_CHUNK_DIGEST' });
  await expect(row).toContainText('3 open');
  await row.click();
  const panel = clusterPanel(page);
  await expect(panel.getByRole('listitem').filter({ hasText: 'Canonical' })).toContainText('sync#1236');
  await expect(panel.getByRole('img', { name: /^3 issues with 3 links, in parts of 2 and 1/ })).toBeVisible();
  const weakest = panel.getByRole('button', { name: /Weakest link/ });
  await weakest.click();
  await expect(panel.getByText('Both titles mention')).toBeVisible();
  await expectNoViolations(page);
  await page.setViewportSize(WIDE);
  await weakest.click();
  await panel.getByRole('link', { name: 'Compare both texts' }).click();
  await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
  const note = pairPanel(page).getByRole('region', { name: 'Cluster' });
  await expect(note).toContainText('Both are in the cluster');
  await note.getByRole('link').click();
  await expect(clusterPanel(page).getByText('3 issues')).toBeVisible();
});

withSample('keys walk through clusters and their issues', async ({ page }) => {
  await openClusters(page, '?probability=0');
  await page.keyboard.press('j');
  await expect(clusterRows(page).first()).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = clusterPanel(page);
  await expect(panel.getByText(/^2 of /)).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'Graph' })).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await expect(panel.locator('[aria-current="true"]')).toHaveCount(1);
  await expect(panel.getByRole('status').filter({ hasText: /^2 of / })).toBeAttached();
  await page.keyboard.press('k');
  await expect(panel.getByText(/^1 of /)).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText(
    'Split at the weakest link',
  );
});

withSample('a list that fails to load shows the reason, and Retry loads it', async ({ page }) => {
  const failing = '**/api/v1/clusters?*';
  await page.route(failing, (route) =>
    route.fulfill({
      status: 500,
      json: { detail: 'The server could not do this.', code: 'internal', request_id: 'req-1234' },
    }),
  );
  await page.goto('/console/issues/clusters');
  const failure = page.getByRole('alert').filter({ hasText: 'The server could not do this.' });
  await expect(failure.getByText('req-1234')).toBeVisible();
  await page.unroute(failing);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(clusterRows(page).first()).toBeVisible();
});

withSample('filters narrow the list, and a filter without a match can be cleared', async ({ page }) => {
  await openClusters(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  await dialog.getByRole('radio', { name: 'Dismissed' }).check();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('No clusters found for the current filters.')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear all' }).last().click();
  await expect(clusterRows(page).first()).toBeVisible();
});

withSample(
  'on a phone a cluster opens over the list, and nothing is wider than the screen',
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openClusters(page);
    await clusterRows(page).first().click();
    await expect(clusterPanel(page).getByRole('heading', { name: 'Graph' })).toBeVisible();
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wider).toBeLessThanOrEqual(0);
    await clusterPanel(page).getByRole('button', { name: 'Close panel' }).click();
    await expect(clusterRows(page).first()).toBeVisible();
  },
);

withSample('a cluster leads to a search in it, whose filter can be removed', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'system'));
  await openClusters(page, '?probability=0');
  await clusterRows(page).filter({ hasText: 'ERR_CHUNK_DIGEST' }).click();
  await clusterPanel(page).getByRole('link', { name: 'Search in this cluster' }).click();
  await expect(issueRows(page)).toHaveCount(3);
  const remove = page.getByRole('button', { name: 'Remove the filter Cluster' });
  const tag = remove.locator('..');
  await expect(tag).toContainText('ERR_CHUNK_DIGEST');
  await issueSearch(page).fill('sync#1236');
  await page.keyboard.press('Enter');
  await expect(issueRows(page).first()).toContainText('1236');
  await expectNoViolations(page);
  await page.reload();
  await expect(tag).toContainText('ERR_CHUNK_DIGEST');
  await remove.click();
  await page.getByRole('button', { name: 'Remove the filter Search' }).click();
  await expect(issueRows(page)).toHaveCount(10);
});

withSample('a search in a deleted cluster shows that, and its filter can be removed', async ({ page }) => {
  await page.goto('/console/issues/compliance?cluster=00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('This cluster does not exist.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter Cluster' }).click();
  await expect(issueRows(page)).toHaveCount(10);
});

withSample('the address of a cluster that has ended says so', async ({ page }) => {
  await page.goto('/console/issues/clusters?selectedCluster=00000000-0000-4000-8000-000000000000');
  const panel = clusterPanel(page);
  await expect(panel.getByText('This cluster has ended', { exact: true })).toBeVisible();
  await expect(panel.getByText('quote this when reporting')).toBeHidden();
  await panel.getByRole('link', { name: 'All clusters' }).click();
  await expect(page).toHaveURL(/\/console\/issues\/clusters$/);
});

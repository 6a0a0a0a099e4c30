import { clusterPanel, clusterRows, openClusters } from '@winnow/tools/browser/clusters.ts';
import { pressDeliberately } from '@winnow/tools/browser/press-deliberately.ts';
import { toast } from '@winnow/tools/browser/similarity.ts';
import { expect, signedIn, withOwnSample } from '../fixtures/test.ts';

signedIn('without a tracker the screen says so and links to Trackers', async ({ page }) => {
  await page.goto('/console/issues/clusters');
  await expect(page.getByText('No projects found. Did you add a tracker?')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Trackers' })).toBeVisible();
});

withOwnSample('a decision and its undo by key, without leaving the keyboard', async ({ page }) => {
  await openClusters(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = clusterPanel(page);
  const name = await panel.getByRole('heading', { level: 3 }).first().innerText();
  await pressDeliberately(page, 'd');
  await expect(toast(page, `Decided: ${name}`)).toBeVisible();
  await expect(clusterRows(page).filter({ hasText: name })).toHaveCount(0);
  await expect(panel.getByText(/^1 of /)).toBeVisible();
  await page.keyboard.press('z');
  await expect(toast(page, `Undone: ${name}`)).toBeVisible();
  await expect(clusterRows(page).filter({ hasText: name })).toBeVisible();
  await expect(panel.getByRole('heading', { name })).toBeVisible();
  await pressDeliberately(page, 'e');
  await expect(toast(page, `Dismissed: ${name}`)).toBeVisible();
  await page.goto('/console/issues/clusters?status=dismissed');
  await clusterRows(page).filter({ hasText: name }).getByRole('button', { name: 'Open again' }).click();
  await expect(toast(page, `Opened again: ${name}`)).toBeVisible();
});

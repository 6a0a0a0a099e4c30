import { cluster, clusterList } from '@winnow/contract/cluster';
import { clusterPanel, clusterRows, openClusters } from '@winnow/tools/browser/clusters.ts';
import { pressDeliberately } from '@winnow/tools/browser/press-deliberately.ts';
import { toast } from '@winnow/tools/browser/similarity.ts';
import { expect, withOwnSample } from '../fixtures/test.ts';

const CHUNKS = 'ERR_CHUNK_DIGEST';

withOwnSample('canonical, exclude, split, include and rename change the open cluster', async ({ page }) => {
  await openClusters(page, '?probability=0');
  await clusterRows(page).filter({ hasText: CHUNKS }).click();
  const panel = clusterPanel(page);
  const member = (key: string) => panel.locator('ol > li').filter({ hasText: key }).first();
  await expect(member('sync#1236')).toContainText('Canonical');
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await pressDeliberately(page, 'c');
  await expect(member('sync#1419')).toContainText('Canonical');
  await expect(panel.getByText('Chosen', { exact: true })).toBeVisible();
  await page.keyboard.press('z');
  await expect(member('sync#1236')).toContainText('Canonical');

  await panel.getByRole('button', { name: /^Split here/ }).click();
  await expect(panel.getByText('2 issues', { exact: true })).toBeVisible();
  await page.keyboard.press('i');
  await expect(page.getByRole('combobox', { name: 'Issue' })).toBeFocused();
  await page.getByRole('combobox', { name: 'Issue' }).fill('no such words');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Include an issue' })).toBeHidden();
  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog', { name: 'Include an issue' });
  await dialog.getByRole('combobox', { name: 'Issue' }).fill('sync#1502');
  // The field also starts a search for the chosen issue key. A slow response must not undo the
  // choice, so this search never gets a response.
  await page.route(/\/search\?query=skua/, () => undefined);
  await page.getByRole('option', { name: /sync#1502/ }).click();
  await page.waitForRequest(/\/search\?query=skua/);
  await dialog.getByRole('button', { name: 'Include' }).click();
  await expect(panel.getByText('3 issues', { exact: true })).toBeVisible();

  await panel.getByRole('button', { name: 'Exclude skua/sync#1502' }).click();
  await expect(panel.getByText('2 issues', { exact: true })).toBeVisible();
  await toast(page, 'Excluded sync#1502.').getByRole('button', { name: /^Undo/ }).click();
  await expect(panel.getByText('3 issues', { exact: true })).toBeVisible();

  await panel.getByRole('button', { name: 'Rename the cluster' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Damaged chunks');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(panel.getByRole('heading', { name: 'Damaged chunks' })).toBeVisible();
});

withOwnSample('two clusters merge, and a cluster of two ends only after a question', async ({ page }) => {
  await openClusters(page);
  await clusterRows(page).filter({ hasText: 'journal.db grows without limit' }).click();
  const panel = clusterPanel(page);
  await expect(panel.getByText('2 issues', { exact: true })).toBeVisible();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Merge another cluster' });
  await dialog.getByLabel('Other cluster').click();
  await page.getByRole('option', { name: /shown sideways/i }).click();
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(panel.getByText('4 issues', { exact: true })).toBeVisible();
  await page.keyboard.press('z');
  await expect(panel.getByText('2 issues', { exact: true })).toBeVisible();
  await panel
    .getByRole('button', { name: /^Exclude / })
    .last()
    .click();
  const question = page.getByRole('dialog', { name: 'End this cluster?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(panel.getByText('2 issues', { exact: true })).toBeVisible();
});

withOwnSample(
  'a cluster that another person has changed is not decided: it is reloaded, with the reason',
  async ({ page, account }) => {
    await openClusters(page);
    await clusterRows(page).first().click();
    const panel = clusterPanel(page);
    await expect(panel.getByRole('heading', { name: 'Graph' })).toBeVisible();
    // The browser must not learn of the change before the user presses the key.
    const { promise: pressed, resolve: press } = Promise.withResolvers<void>();
    await page.route(/api\/v1\/clusters(\?|\/[0-9a-f-]{36}$)/, async (route) => {
      if (route.request().method() === 'GET') await pressed;
      await route.continue();
    });
    const [first] = (await account.api.get('/clusters?limit=1', clusterList)).clusters;
    const renamed = { revision: first?.revision, name: 'Named elsewhere' };
    await account.api.send('PATCH', `/clusters/${first?.id}`, renamed, cluster);
    await pressDeliberately(page, 'd');
    press();
    await expect(page.getByRole('alert').filter({ hasText: 'The cluster was reloaded.' })).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await expect(clusterRows(page).filter({ hasText: 'Named elsewhere' })).toBeVisible();
    await expect(panel.getByRole('heading', { name: 'Named elsewhere' })).toBeVisible();
    await pressDeliberately(page, 'd');
    await expect(toast(page, 'Decided: Named elsewhere')).toBeVisible();
  },
);

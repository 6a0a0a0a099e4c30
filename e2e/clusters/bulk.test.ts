import { changeList } from '@winnow/contract/change';
import { type Cluster, clusterList, cluster as clusterSchema } from '@winnow/contract/cluster';
import { clusterRows, openClusters } from '@winnow/tools/browser/clusters.ts';
import { expectNoViolations } from '../accessibility/no-violations.ts';
import { expect, withOwnSample } from '../fixtures/test.ts';

withOwnSample(
  'clusters above a probability are listed with every issue, and each is resolved by a separate change',
  async ({ page, account }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'system'));
    await openClusters(page);
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Resolve Several Clusters' });
    const threshold = dialog.getByRole('textbox', { name: 'Minimum probability' });
    await expect(threshold).toBeFocused();
    await expect(threshold).toHaveValue('90 %');
    await threshold.fill('40');
    const rows = dialog.getByRole('list', { name: 'Clusters', exact: true }).locator('> li');
    const chosen = dialog.getByRole('status').filter({ hasText: /chosen$/ });
    const count = await account.api.get('/clusters?probability_threshold=0.4', clusterList);
    await expect(rows).toHaveCount(count.total);
    // True for a cluster with a weak link. The list contains such clusters, but does not select
    // them.
    const isDoubtful = ({ weakest_probability: weakest }: Cluster) => (weakest ?? 1) < 0.4;
    const doubtful = count.clusters.filter(isDoubtful).length;
    await expect(chosen).toHaveText(new RegExp(`^${count.total - doubtful} of ${count.total} clusters`));
    await expect(rows.filter({ hasText: 'One issue may not belong here' })).toHaveCount(doubtful);
    expect(count.total).toBeGreaterThan(2);
    const first = rows.first();
    await expect(first.getByText('Keep', { exact: true })).toHaveCount(1);
    await expect(first.getByText('Close', { exact: true }).first()).toBeVisible();
    await expectNoViolations(page);

    // Another user renames a cluster before the confirmation. The renamed cluster is left out.
    const [changed, kept] = count.clusters;
    if (!changed || !kept) throw new Error('The sample has too few clusters.');
    await page.route(/api\/v1\/clusters\?/, (route) => route.abort());
    const boxes = await rows.getByRole('checkbox').all();
    for (const box of boxes.slice(2)) await box.uncheck();
    for (const box of boxes.slice(0, 2)) await box.check();
    await expect(chosen).toHaveText(/^2 of /);
    const patch = { revision: changed.revision, name: 'Named elsewhere' };
    await page.route(/clusters\/resolve$/, async (route) => {
      await account.api.send('PATCH', `/clusters/${changed.id}`, patch, clusterSchema);
      await route.continue();
    });
    await dialog.getByRole('button', { name: /^Close \d+ issues?$/ }).click();
    await expect(dialog.getByRole('status')).toHaveText('Finished 1 of 2 clusters. 1 left out.');
    await expect(dialog.getByText('This cluster has changed since you saw it')).toBeVisible();
    await expect(dialog.getByText('Applied', { exact: true })).toBeVisible();
    const { changes } = await account.api.get('/changes', changeList);
    expect(changes.map(({ kind, status }) => [kind, status])).toEqual([['cluster', 'applied']]);

    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.keyboard.press('z');
    await expect(page.getByText(/^Undone: /)).toBeVisible();
    await expect(clusterRows(page).filter({ hasText: 'Named elsewhere' })).toBeVisible();
  },
);

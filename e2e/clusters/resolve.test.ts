import { changeList } from '@winnow/contract/change';
import { clusterPanel, clusterRows, openClusters } from '@winnow/tools/browser/clusters.ts';
import { toast } from '@winnow/tools/browser/similarity.ts';
import { expect, withOwnSample } from '../fixtures/test.ts';

const CHUNKS = 'ERR_CHUNK_DIGEST';

withOwnSample(
  'a cluster is resolved after a preview of every write, and undone from the toast',
  async ({ page, account }) => {
    await openClusters(page, '?probability=0');
    await clusterRows(page).filter({ hasText: CHUNKS }).click();
    const panel = clusterPanel(page);
    await expect(panel.getByRole('button', { name: /^Resolve/ })).toBeVisible();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Resolve Cluster' });
    await expect(dialog.getByText('Posted as').first()).toBeVisible();
    const all = dialog.getByRole('checkbox', { name: /^All/ });
    await expect(all).toBeChecked();
    await dialog.getByLabel('Facts that the canonical issue lacks').selectOption('Quote them in the comment');
    await expect(dialog.getByRole('textbox', { name: /^Comment on/ }).last()).toHaveValue(/adds:/);

    await expect(dialog.getByText(/^\d+ writes to .* in all$/)).toBeVisible();
    await expect(dialog.getByRole('listitem').last()).toContainText('Comment on');

    await all.uncheck();
    await expect(dialog.getByText('Choose at least one issue to close.')).toBeVisible();
    await all.check();
    await dialog.getByRole('button', { name: /^Close \d+ issues?/ }).click();
    await expect(toast(page, /^Closed /)).toBeVisible();
    const [change] = (await account.api.get('/changes?limit=1', changeList)).changes;
    expect(change).toMatchObject({ kind: 'cluster', status: 'applied' });

    await toast(page, /^Closed /)
      .getByRole('button', { name: /^Undo/ })
      .click();
    await expect(toast(page, /^Undone: /)).toBeVisible();
    const [, undone] = (await account.api.get('/changes?limit=2', changeList)).changes;
    expect(undone).toMatchObject({ id: change?.id, status: 'undone' });
  },
);

withOwnSample('facts cannot be quoted if the issues to close add none', async ({ page }) => {
  await openClusters(page);
  await clusterRows(page).filter({ hasText: 'journal.db' }).click();
  await expect(clusterPanel(page).getByRole('button', { name: /^Resolve/ })).toBeVisible();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Resolve Cluster' });
  await expect(dialog.getByLabel('Facts that the canonical issue lacks')).toBeDisabled();
  await expect(dialog.getByText('The issues to close add no facts to quote.')).toBeVisible();
});

import type { Locator, Page } from '@playwright/test';

/** Returns the rows of the list of clusters, without the header row. */
export function clusterRows(page: Page): Locator {
  return page
    .getByRole('table', { name: 'Clusters' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
}

/**
 * Returns the panel of the open cluster. It is a column beside the list, or a drawer on narrow
 * screens.
 */
export function clusterPanel(page: Page): Locator {
  const panel = page.getByRole('complementary').or(page.getByRole('dialog'));
  return panel.filter({ has: page.getByRole('heading', { name: 'Cluster Details' }) });
}

/** Opens the list of clusters and waits until its first row is visible. */
export async function openClusters(page: Page, search = ''): Promise<void> {
  await page.goto(`/console/issues/clusters${search}`);
  await clusterRows(page).first().waitFor();
}

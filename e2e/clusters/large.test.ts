import { clusterChanged, clusterList } from '@winnow/contract/cluster';
import { clusterPanel } from '@winnow/tools/browser/clusters.ts';
import { expect, withOwnSample } from '../fixtures/test.ts';

/** Number of issues that the panel lists initially. */
const PART = 50;

withOwnSample(
  'a large cluster lists its issues in parts, up to the current one',
  async ({ page, account }) => {
    const all = '/clusters?status=all&probability_threshold=0&limit=100&order_by=size';
    const [first, ...others] = (await account.api.get(all, clusterList)).clusters;
    if (first === undefined) throw new Error('The sample has no cluster.');
    let { revision, size } = first;
    for (const other of others) {
      if (size > PART) break;
      const body = { revision, other_id: other.id, other_revision: other.revision };
      const merged = await account.api.send('POST', `/clusters/${first.id}/merge`, body, clusterChanged);
      ({ revision, size } = merged.cluster ?? { revision, size });
    }
    expect(size).toBeGreaterThan(PART);
    await page.goto(`/console/issues/clusters?selectedCluster=${first.id}`);
    const panel = clusterPanel(page);
    const members = panel.getByRole('region', { name: `${size} issues` }).getByRole('listitem');
    await expect(members).toHaveCount(PART);
    for (let step = 0; step <= PART; step += 1) await page.keyboard.press('n');
    await expect(members).toHaveCount(size);
    await expect(members.nth(PART)).toBeInViewport();
    await expect(members.nth(PART)).toHaveAttribute('aria-current', 'true');
  },
);

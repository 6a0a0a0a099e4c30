import { cluster, clusterChanged, clusterList } from '@winnow/contract/cluster';
import { issueMap } from '@winnow/contract/search';
import { clusterPanel } from '@winnow/tools/browser/clusters.ts';
import { expect, withOwnSample } from '../fixtures/test.ts';

withOwnSample(
  'a cluster of 56 issues lists them in parts, up to the current one',
  async ({ page, account }) => {
    const { clusters } = await account.api.get('/clusters?limit=1', clusterList);
    const [first] = clusters;
    if (first === undefined) throw new Error('The sample has no cluster.');
    const { data: issues } = await account.api.get('/embeddings?status=all', issueMap);
    let { revision, size } = first;
    for (const { issue_id: id } of issues) {
      if (size >= 56) break;
      const own = await account.api.get(
        `/clusters?issue_id=${id}&status=all&probability_threshold=0`,
        clusterList,
      );
      if (own.clusters.length > 0) continue;
      const body = { revision, issue_id: id };
      const changed = await account.api.send('POST', `/clusters/${first.id}/include`, body, clusterChanged);
      ({ revision, size } = cluster.parse(changed.cluster));
    }
    await page.goto(`/console/issues/clusters?selectedCluster=${first.id}`);
    const members = clusterPanel(page).getByRole('region', { name: '56 issues' }).getByRole('listitem');
    await expect(members).toHaveCount(50);
    for (let step = 0; step < 51; step += 1) await page.keyboard.press('n');
    await expect(members).toHaveCount(56);
    await expect(members.nth(50)).toBeInViewport();
    await expect(members.nth(50)).toHaveAttribute('aria-current', 'true');
  },
);

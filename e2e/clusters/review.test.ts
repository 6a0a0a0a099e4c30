import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { reviewNext } from '@winnow/contract/cluster';
import { openClusters } from '@winnow/tools/browser/clusters.ts';
import { pressDeliberately } from '@winnow/tools/browser/press-deliberately.ts';
import { toast } from '@winnow/tools/browser/similarity.ts';
import { expectNoViolations } from '../accessibility/no-violations.ts';
import { expect, withOwnSample } from '../fixtures/test.ts';

withOwnSample(
  'a review goes from cluster to cluster, survives a reload, and ends with a summary',
  async ({ page, account }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'system'));
    await openClusters(page);
    await page.keyboard.press('b');
    const progress = page.getByRole('region', { name: 'Progress' });
    await expect(progress).toContainText('0 decided');
    const name = page.getByRole('region', { name: 'Cluster', exact: true }).getByRole('heading');
    const first = await name.innerText();

    // Another reviewer must get a different cluster.
    const other = await account.api.send(
      'POST',
      '/clusters/review/next',
      { reviewer: randomUUID() },
      reviewNext,
    );
    expect(other.cluster?.name).not.toBe(first);

    await pressDeliberately(page, 'd');
    await expect(toast(page, `Decided: ${first}`)).toBeVisible();
    await expect(progress).toContainText('1 decided');
    await expect(name).not.toHaveText(first);
    const second = await name.innerText();
    expect(second).not.toBe(other.cluster?.name);
    await pressDeliberately(page, 'e');
    await expect(progress).toContainText('1 dismissed');
    await page.keyboard.press('z');
    await expect(name).toHaveText(second);
    await pressDeliberately(page, 'e');
    await expect(progress).toContainText('1 dismissed');
    await expect(name).not.toHaveText(second);
    const skipped = await name.innerText();
    await pressDeliberately(page, 'l');
    await expect(name).not.toHaveText(skipped);

    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('button', { name: /^Later/ })).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.reload();
    await expect(progress).toContainText('1 decided');
    await expect(name).not.toHaveText(skipped);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: /^Continue review/ }).click();
    await expect(progress).toContainText('1 dismissed');
    await expectNoViolations(page);

    await page.getByRole('button', { name: 'End review' }).click();
    const decided = page.getByRole('list', { name: 'Decided clusters' });
    await expect(decided.getByRole('listitem')).toHaveCount(2);
    await page.reload();
    await expect(decided.getByRole('listitem')).toHaveCount(2);
    await expectNoViolations(page);
    for (const [label, file] of [
      ['Export as Markdown', 'winnow-review.md'],
      ['Export as CSV', 'winnow-review.csv'],
    ] as const) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: label }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(file);
      expect(await readFile(await download.path(), 'utf8')).toContain(first);
    }
    await page.getByRole('button', { name: 'Back to the clusters' }).click();
    await expect(page.getByRole('button', { name: /^Review backlog/ })).toBeVisible();
  },
);

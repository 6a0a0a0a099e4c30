import { changeList } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { pairRows } from '@winnow/tools/browser/similarity.ts';
import { expect, OPEN_PAIRS, withOwnSample } from '../fixtures/test.ts';

withOwnSample(
  'a double click anywhere on a row opens the pair and decides nothing',
  async ({ page, account }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const dismissed = async () => (await account.api.get('/issue-duplicates?dismissed=true', pairList)).total;
    for (let x = 820; x <= 900; x += 20) {
      await page.goto(OPEN_PAIRS);
      const box = await pairRows(page).nth(3).boundingBox();
      if (box === null) throw new Error('There is no fourth row.');
      await page.mouse.click(x, box.y + box.height / 2, { clickCount: 2, delay: 30 });
      await expect(page).toHaveURL(/selectedPair=/);
    }
    expect(await dismissed()).toBe(0);
    expect((await account.api.get('/changes', changeList)).total).toBe(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
);

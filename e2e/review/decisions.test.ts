import { changeList } from '@winnow/contract/change';
import { pairPanel, pairRow, pairRows, samplePairs, toast } from '@winnow/tools/browser/similarity.ts';
import { expect, OPEN_PAIRS, withOwnSample } from '../fixtures/test.ts';

withOwnSample('marking as unrelated takes effect immediately, and Undo reverts it', async ({ page }) => {
  const { older, newer } = samplePairs.consoleError;
  await page.goto(OPEN_PAIRS);
  const row = pairRow(page, { older, newer });
  await row.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve Similar Issues' });
  await dialog.getByRole('button', { name: 'Mark as Unrelated' }).click();

  const done = toast(page, `Marked ${older} and ${newer} as unrelated.`);
  await expect(done).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(row.getByText('Unrelated')).toBeVisible();
  await expect(row.getByRole('button', { name: 'Resolve' })).toBeHidden();
  await row.click();
  const panel = pairPanel(page);
  await expect(panel.getByRole('button', { name: 'Resolve' })).toBeDisabled();
  await expect(panel.getByText('This pair is resolved')).toBeVisible();

  await done.getByRole('button', { name: /^Undo/ }).click();
  await expect(row.getByText('Unrelated')).toBeHidden();
  await expect(row.getByRole('button', { name: 'Resolve' })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Resolve' })).toBeEnabled();
});

withOwnSample(
  'a resolved pair can be undone from its panel long after the toast disappeared',
  async ({ page }) => {
    const { older, newer } = samplePairs.consoleError;
    await page.goto(OPEN_PAIRS);
    const row = pairRow(page, { older, newer });
    await row.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Mark as Unrelated' }).click();
    await expect(row.getByText('Unrelated')).toBeVisible();
    await page.reload();

    await row.click();
    await pairPanel(page).getByRole('button', { name: /^Undo/ }).click();
    await expect(row.getByText('Unrelated')).toBeHidden();
    await expect(pairPanel(page).getByRole('button', { name: 'Resolve' })).toBeEnabled();
  },
);

withOwnSample(
  'a dismissed pair leaves the list, appears among the dismissed pairs, and is restored',
  async ({ page }) => {
    const { older, newer } = samplePairs.consoleError;
    await page.goto(OPEN_PAIRS);
    const row = pairRow(page, { older, newer });
    await row.getByRole('button', { name: 'Dismiss' }).click();
    await expect(row).toBeHidden();
    await expect(toast(page, `Dismissed the pair of ${older} and ${newer}.`)).toBeVisible();
    await expect(pairRows(page)).toHaveCount(10);

    await page.reload();
    await expect(pairRows(page)).toHaveCount(10);
    await expect(row).toBeHidden();

    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Show dismissed pairs only').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(pairRows(page)).toHaveCount(1);
    await row.getByRole('button', { name: 'Restore' }).click();
    await expect(page.getByText('No duplicate issues found for the current filters.')).toBeVisible();

    await page.getByRole('button', { name: 'Clear all' }).first().click();
    await expect(row).toBeVisible();
  },
);

withOwnSample('Undo in the toast restores a dismissed pair', async ({ page }) => {
  const { older, newer } = samplePairs.consoleError;
  await page.goto(OPEN_PAIRS);
  const row = pairRow(page, { older, newer });
  await row.getByRole('button', { name: 'Dismiss' }).click();
  await expect(row).toBeHidden();
  await toast(page, 'Dismissed the pair').getByRole('button', { name: /^Undo/ }).click();
  await expect(row).toBeVisible();
});

withOwnSample('a pair that cannot be dismissed reappears with the reason', async ({ page }) => {
  await page.route('**/issue-duplicates/dismiss', (route) => route.abort());
  await page.goto(OPEN_PAIRS);
  const row = pairRow(page, samplePairs.consoleError);
  await row.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByRole('alert')).toHaveText(/Winnow could not be reached/);
  await expect(row).toBeVisible();
});

withOwnSample('a decision in one tab appears in the other without reloading', async ({ page, context }) => {
  const other = await context.newPage();
  await page.goto(OPEN_PAIRS);
  await other.goto(OPEN_PAIRS);
  const inOther = pairRow(other, samplePairs.consoleError);
  await expect(inOther).toBeVisible();
  await pairRow(page, samplePairs.consoleError).getByRole('button', { name: 'Resolve' }).click();
  await page.getByRole('button', { name: 'Mark as Unrelated' }).click();
  await expect(inOther.getByText('Unrelated')).toBeVisible();
});

for (const size of [
  { width: 1440, height: 900 },
  { width: 1024, height: 800 },
  { width: 390, height: 844 },
]) {
  withOwnSample(`a toast covers no part of the open pair at ${size.width} px`, async ({ page }) => {
    await page.setViewportSize(size);
    await page.goto(OPEN_PAIRS);
    await pairRow(page, samplePairs.consoleError).getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Mark as Unrelated' }).click();
    const done = toast(page, /^Marked/);
    await expect(done).toBeVisible();
    await pairRow(page, samplePairs.reworded).click();
    const panel = pairPanel(page);
    await expect(panel.getByRole('article')).toHaveCount(2);
    const parts = [
      panel.getByRole('region', { name: 'Details' }),
      ...['Next pair', 'Close panel', 'Resolve', 'Dismiss'].map((name) =>
        panel.getByRole('button', { name }),
      ),
    ];
    const covered = async () => {
      const [shown, ...boxes] = await Promise.all([done, ...parts].map((part) => part.boundingBox()));
      return boxes.filter((box) => !box || !shown || overlap(box, shown)).length;
    };
    await expect.poll(covered).toBe(0);
    await expect(done, 'the toast was visible throughout').toBeVisible();
  });
}

type Box = { x: number; y: number; width: number; height: number };

function overlap(one: Box, other: Box): boolean {
  const meets = (a: number, aSize: number, b: number, bSize: number) => a < b + bSize && b < a + aSize;
  return meets(one.x, one.width, other.x, other.width) && meets(one.y, one.height, other.y, other.height);
}

withOwnSample('the comment of a decision can be edited before it is posted', async ({ page, account }) => {
  const { older, newer } = samplePairs.reworded;
  await page.goto(OPEN_PAIRS);
  await pairRow(page, { older, newer }).getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: /Resolve Similar Issues/ });
  await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
  const comment = dialog.getByRole('textbox', { name: `Comment on ${newer}` });
  const suggested = await comment.inputValue();
  expect(suggested).not.toBe('');
  await comment.fill('');
  await expect(dialog.getByText('A comment is needed.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Use the suggested comment' }).click();
  await expect(comment).toHaveValue(suggested);
  await comment.fill('Thank you, we track this in the older report.');
  await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
  await expect(toast(page, `Closed ${newer} as duplicate of ${older}.`)).toBeVisible();
  const { changes } = await account.api.get('/changes?limit=1', changeList);
  expect(changes[0]?.steps.map(({ after }) => after.comment)).toContain(
    'Thank you, we track this in the older report.',
  );
});

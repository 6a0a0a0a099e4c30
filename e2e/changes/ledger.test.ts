import { readFile } from 'node:fs/promises';
import { change } from '@winnow/contract/change';
import { changePanel, changeRows, propose } from '@winnow/tools/browser/changes.ts';
import { pairPanel, pairRow, samplePairs } from '@winnow/tools/browser/similarity.ts';
import { expect, OPEN_PAIRS, signedIn, withOwnSample } from '../fixtures/test.ts';

const { identical, sameError, reworded } = samplePairs;

signedIn('an empty list explains the purpose of the screen', async ({ page }) => {
  await page.goto('/console/changes');
  await expect(page.getByText('Nothing has been decided yet')).toBeVisible();
  await page.getByRole('link', { name: 'Review similar issues' }).click();
  await expect(page).toHaveURL('/console/issues');
});

withOwnSample('filters by status, kind and issue are in the address', async ({ page, account }) => {
  const first = await propose(account, identical, 'close_b');
  await propose(account, sameError, 'close_b');
  await account.api.send('POST', `/changes/${first.id}/apply`, undefined, change);
  await account.api.send('POST', `/changes/${first.id}/undo`, undefined, change);
  await page.goto('/console/changes');
  await expect(changeRows(page)).toHaveCount(3);
  await expect(changeRows(page).first(), 'newest first').toContainText('Undo:');

  await page.getByRole('combobox', { name: 'Status' }).selectOption('Proposed');
  await expect(changeRows(page)).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Any status');
  await expect(changeRows(page)).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Undo');
  await expect(changeRows(page)).toHaveCount(1);
  await expect(page).toHaveURL('/console/changes?kind=undo');
  await page.goBack();
  await expect(changeRows(page)).toHaveCount(3);

  await page.getByRole('textbox', { name: 'Issue key' }).fill(identical.older);
  await page.keyboard.press('Enter');
  await expect(changeRows(page)).toHaveCount(2);
  await page.reload();
  await expect(changeRows(page)).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Issue key' }).fill('skua/sync#999999');
  await page.keyboard.press('Enter');
  await expect(page.getByText('skua/sync#999999 could not be found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(changeRows(page)).toHaveCount(3);
});

withOwnSample('an issue links to its changes, and a change to its issues', async ({ page, account }) => {
  const made = await propose(account, reworded, 'close_b');
  await account.api.send('POST', `/changes/${made.id}/reject`, undefined, change);
  await page.goto(OPEN_PAIRS);
  await pairRow(page, reworded).click();
  await pairPanel(page)
    .getByRole('link', { name: `1 change of ${reworded.newer}` })
    .click();
  await expect(page).toHaveURL(`/console/changes?issue=${encodeURIComponent(reworded.newer)}`);
  await changeRows(page).first().click();
  await changePanel(page)
    .getByRole('link', { name: `Similar issues of ${reworded.older}` })
    .click();
  await expect(pairRow(page, reworded)).toBeVisible();
});

withOwnSample('the listed changes are exported as CSV and as JSON lines', async ({ page, account }) => {
  const kept = await propose(account, identical, 'close_b', { reason: 'The same, "twice".' });
  const rejected = await propose(account, sameError, 'close_b');
  await account.api.send('POST', `/changes/${rejected.id}/reject`, undefined, change);
  const saved = async (format: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format }).click(),
    ]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };
  await page.goto('/console/changes');
  await expect(changeRows(page)).toHaveCount(2);
  const csv = await saved('CSV');
  expect(csv.name).toBe('winnow-changes.csv');
  const rows = csv.text.trim().split('\r\n');
  expect(rows.filter((row) => row.startsWith(kept.id))).toHaveLength(3);
  expect(rows.filter((row) => row.startsWith(rejected.id))).toHaveLength(3);
  expect(rows).toHaveLength(7);

  await page.getByRole('combobox', { name: 'Status' }).selectOption('Proposed');
  await expect(changeRows(page)).toHaveCount(1);
  const lines = await saved('JSON lines');
  expect(lines.name).toBe('winnow-changes.jsonl');
  expect(
    lines.text
      .trim()
      .split('\n')
      .map((line) => change.parse(JSON.parse(line)).id),
  ).toEqual([kept.id]);
});

withOwnSample('a list that fails to load shows an error, and Retry loads it', async ({ page, account }) => {
  await propose(account, identical, 'close_b');
  await page.route('**/api/v1/changes?limit=20*', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/console/changes');
  const failure = page.getByRole('alert').filter({ hasText: 'Changes could not be loaded' });
  await expect(failure).toBeVisible();
  await page.unroute('**/api/v1/changes?limit=20*');
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(changeRows(page)).toHaveCount(1);
});

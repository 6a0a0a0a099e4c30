import type { Page } from '@playwright/test';
import { resolutionResult } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { pairRow, pairRows, samplePairs, toast } from '@winnow/tools/browser/similarity.ts';
import { connectSmall } from '../fixtures/github.ts';
import { expect, OPEN_PAIRS, signedIn, withOwnSample } from '../fixtures/test.ts';

const { identical, reworded, consoleError } = samplePairs;

const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select .* and / });
const bar = (page: Page) => page.getByRole('region', { name: 'Selected pairs' });
const bulkDialog = (page: Page) => page.getByRole('dialog');

withOwnSample(
  'three pairs are closed together, one of them is refused, and all are undone',
  async ({ page, account }) => {
    await page.goto(OPEN_PAIRS);
    for (const pair of [identical, consoleError, reworded]) {
      await pairRow(page, pair).getByRole('checkbox').check();
    }
    await expect(bar(page)).toContainText('3 selected');
    await bar(page).getByRole('button', { name: 'Close as Duplicate' }).click();
    const dialog = bulkDialog(page);
    const pairs = dialog.getByRole('list', { name: 'Pairs' });
    await expect(pairs.getByText('3 writes')).toHaveCount(3);
    await expect(dialog.getByRole('button', { name: 'Close 3 issues' })).toBeEnabled();
    for (const { newer } of [identical, consoleError, reworded]) {
      await expect(pairs).toContainText(`Close ${newer.replace('skua/', '')} as a duplicate of`);
    }
    // Another user decides about one of the pairs while the dialog is open.
    const { duplicates } = await account.api.get(
      `/issue-duplicates?query=${encodeURIComponent(consoleError.newer)}&limit=100`,
      pairList,
    );
    const other = duplicates.find(({ issue1 }) => issue1.key === consoleError.older);
    await account.api.send(
      'PATCH',
      '/issue-duplicates/execute-resolution',
      { issue1_id: other?.issue1.id, issue2_id: other?.issue2.id, resolution: 'unrelated' },
      resolutionResult,
    );
    await dialog.getByRole('button', { name: 'Close 3 issues' }).click();
    await expect(dialog.getByText('Closed 2 of 3 issues as duplicates. 1 failed.')).toBeVisible();
    const failed = pairs.getByRole('listitem').filter({ hasText: 'Failed' });
    await expect(failed).toHaveCount(1);
    await expect(failed).toContainText(consoleError.newer.replace('skua/', ''));
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(pairRow(page, identical)).toBeHidden();
    await expect(bar(page), 'decided pairs are deselected').toBeHidden();

    await toast(page, 'Closed 2 of 3 issues as duplicates.')
      .getByRole('button', { name: 'Undo all' })
      .click();
    await expect(toast(page, 'Undone: 2 pairs.')).toBeVisible();
    await expect(pairRow(page, identical)).toContainText('Undone');
    await expect(pairRow(page, reworded)).toContainText('Undone');
  },
);

withOwnSample(
  'pairs that would close the same issue twice or form a chain are skipped and reported',
  async ({ page }) => {
    await page.goto(`${OPEN_PAIRS}&query=${encodeURIComponent('skua/sync#1236')}`);
    await page.getByRole('checkbox', { name: 'Select all pairs on this page' }).check();
    const selected = await boxes(page).count();
    expect(selected).toBeGreaterThan(1);
    await expect(bar(page)).toContainText(`${selected} selected`);
    await page.keyboard.press('d');
    const dialog = bulkDialog(page);
    await expect(dialog.getByRole('button', { name: /^Close \d+ issues?$/ })).toBeEnabled();
    const closing = await dialog
      .getByRole('list', { name: 'Pairs' })
      .getByText(/^Close /)
      .allTextContents();
    const losers = closing.map((text) => /^Close (\S+)/.exec(text)?.[1]);
    const survivors = closing.map((text) => /duplicate of (\S+)$/.exec(text)?.[1]);
    expect(new Set(losers).size).toBe(losers.length);
    expect(survivors.filter((key) => losers.includes(key))).toEqual([]);
    await expect(dialog.getByRole('button', { name: /^Close \d/ })).toHaveText(
      `Close ${losers.length} ${losers.length === 1 ? 'issue' : 'issues'}`,
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(bar(page)).toContainText(`${selected} selected`);
  },
);

withOwnSample(
  'pairs are selected with s and by range, dismissed together, and restored by one undo',
  async ({ page }) => {
    await page.goto(OPEN_PAIRS);
    await expect(pairRows(page)).toHaveCount(10);
    await page.keyboard.press('j');
    await page.keyboard.press('s');
    await expect(boxes(page).first()).toBeChecked();
    await boxes(page)
      .nth(3)
      .click({ modifiers: ['Shift'] });
    await expect(bar(page)).toContainText('4 selected');
    await page.keyboard.press('k');
    await page.keyboard.press('s');
    await expect(bar(page)).toContainText('3 selected');

    await page.keyboard.press('e');
    await expect(bulkDialog(page)).toContainText('Nothing is written to a tracker.');
    await bulkDialog(page).getByRole('button', { name: 'Dismiss 3 pairs' }).click();
    await expect(bulkDialog(page)).toBeHidden();
    await toast(page, 'Dismissed 3 pairs.').getByRole('button', { name: 'Undo all' }).click();
    await expect(toast(page, 'Undone: 3 pairs.')).toBeVisible();
    await expect(pairRow(page, identical)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1–10 of');
  },
);

withOwnSample('bulk marking as unrelated can be stopped and reports its progress', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  for (const pair of [identical, consoleError, reworded]) {
    await pairRow(page, pair).getByRole('checkbox').check();
  }
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/v1/issue-duplicates/execute-resolution', async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('u');
  const dialog = bulkDialog(page);
  await dialog.getByRole('button', { name: 'Mark 3 pairs' }).click();
  await expect(dialog.getByText('0 of 3 pairs done')).toBeVisible();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  release();
  await expect(dialog.getByText('Marked 1 of 3 pairs as unrelated.')).toBeVisible();
  await expect(dialog.getByText('Stopped by you')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(bar(page), 'unprocessed pairs stay selected').toContainText('2 selected');
});

withOwnSample('a double click on the confirm button does not stop the run', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  for (const pair of [identical, consoleError, reworded]) {
    await pairRow(page, pair).getByRole('checkbox').check();
  }
  await page.keyboard.press('u');
  const confirm = bulkDialog(page).getByRole('button', { name: 'Mark 3 pairs' });
  const width = (await confirm.boundingBox())?.width ?? 0;
  await confirm.dblclick({ position: { x: width - 20, y: 12 } });
  await expect(toast(page, 'Marked 3 pairs as unrelated.')).toBeVisible();
});

signedIn('each pair gets exactly the writes of its preview', async ({ page, account, github }) => {
  const { small, emulator } = github;
  await connectSmall(account, github);
  const issueKey = (number: number) => `${small.owner}/${small.repo}#${number}`;
  await page.goto(OPEN_PAIRS);
  for (const [older, newer] of [
    [1, 3],
    [4, 6],
  ] as const) {
    await pairRow(page, { older: issueKey(older), newer: issueKey(newer) })
      .getByRole('checkbox')
      .check();
  }
  await page.keyboard.press('d');
  const dialog = bulkDialog(page);
  await expect(dialog.getByRole('button', { name: 'Close 2 issues' })).toBeEnabled();
  emulator.editAs('tomasz-r', small.owner, small.repo, 6, { body: 'Quite another text.' });
  await dialog.getByRole('button', { name: 'Close 2 issues' }).click();
  await expect(dialog.getByText('Closed 1 of 2 issues as duplicates. 1 failed.')).toBeVisible();
  await expect(dialog).toContainText(`${issueKey(6)} has changed since you saw it.`);
  expect(emulator.issue(small.owner, small.repo, 3)).toMatchObject({
    state: 'closed',
    duplicate_of: issueKey(1),
  });
  expect(emulator.issue(small.owner, small.repo, 6).state).toBe('open');
});

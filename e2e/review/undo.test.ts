import {
  decideByKey,
  pairPanel,
  pairRow,
  pairRows,
  recentDecisions,
  samplePairs,
  toast,
} from '@winnow/tools/browser/similarity.ts';
import { connectSmall } from '../fixtures/github.ts';
import { expect, OPEN_PAIRS, signedIn, withOwnSample } from '../fixtures/test.ts';

const { identical, reworded, consoleError } = samplePairs;

withOwnSample(
  'z undoes the newest decision, then the one before it, also after a reload',
  async ({ page }) => {
    await page.goto(OPEN_PAIRS);
    const [first, second] = [pairRow(page, consoleError), pairRow(page, reworded)];
    for (const row of [first, second]) {
      await decideByKey(row, 'u');
      await expect(row.getByText('Unrelated')).toBeVisible();
    }
    await page.reload();
    await expect(second.getByText('Unrelated')).toBeVisible();

    await page.keyboard.press('z');
    await expect(second.getByText('Undone')).toBeVisible();
    await expect(second, 'the restored pair is selected').toBeFocused();
    await expect(first.getByText('Unrelated')).toBeVisible();
    await page.keyboard.press('z');
    await expect(first.getByText('Undone')).toBeVisible();
    await expect(first).toBeFocused();
    await page.keyboard.press('z');
    await expect(toast(page, 'There is nothing to undo.')).toBeVisible();
  },
);

withOwnSample('z undoes dismissals and resolutions in reverse order', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  const dismissed = pairRow(page, identical);
  const [first, last] = [pairRow(page, consoleError), pairRow(page, reworded)];
  await decideByKey(first, 'u');
  await expect(first.getByText('Unrelated')).toBeVisible();
  await decideByKey(dismissed, 'e');
  await expect(dismissed).toBeHidden();
  await decideByKey(last, 'u');
  await expect(last.getByText('Unrelated')).toBeVisible();

  await page.keyboard.press('z');
  await expect(last.getByText('Undone')).toBeVisible();
  await expect(dismissed).toBeHidden();
  await page.keyboard.press('z');
  await expect(dismissed).toBeFocused();
  await expect(first.getByText('Unrelated')).toBeVisible();
  await page.keyboard.press('z');
  await expect(first.getByText('Undone')).toBeVisible();
});

withOwnSample('a decision followed immediately by its undo leaves the pair undecided', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  const [before, row] = [pairRow(page, consoleError), pairRow(page, reworded)];
  await decideByKey(before, 'u');
  await expect(before.getByText('Unrelated')).toBeVisible();
  await decideByKey(row, 'u');
  await page.keyboard.press('z');
  await expect(row.getByText('Undone')).toBeVisible();
  await expect(before.getByText('Unrelated')).toBeVisible();
});

withOwnSample('z works as soon as the toast offers it, and leads back to the pair', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  const row = pairRow(page, consoleError);
  await row.click();
  await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: /Close as Duplicate/ });
  await expect(dialog.getByRole('button', { name: 'Close as Duplicate' })).toBeEnabled();
  // Presses `z` as soon as the toast appears. No person could be faster.
  await page.evaluate(() => {
    const pressOnceOffered = new MutationObserver(() => {
      const toasts = [...document.querySelectorAll('[role="status"]')];
      if (!toasts.some(({ textContent }) => textContent.startsWith('Closed'))) return;
      pressOnceOffered.disconnect();
      const at = document.activeElement ?? document.body;
      at.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true }));
    });
    pressOnceOffered.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.keyboard.press('Control+Enter');
  await expect(toast(page, /^Undone: Closed/)).toBeVisible();
  await expect(row).toHaveAttribute('aria-current', 'true');
});

withOwnSample('recent decisions offer undo, which reopens the pair if a pair is open', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  const recent = recentDecisions(page);
  await expect(pairRows(page)).toHaveCount(10);
  await expect(recent, 'nothing is decided yet').toBeHidden();
  for (const pair of [consoleError, reworded]) {
    await decideByKey(pairRow(page, pair), 'u');
    await expect(recent).toContainText(`Marked ${pair.older} and ${pair.newer} as unrelated.`);
  }
  await page.reload();
  await pairRow(page, identical).click();
  await recent.getByRole('button', { name: 'Show more decisions' }).click();
  const line = recent.getByRole('listitem').filter({ hasText: consoleError.older });
  await expect(line).toContainText(/just now|minutes? ago/);
  await line.getByRole('button', { name: 'Undo' }).click();
  await expect(line).toContainText('Undone');
  await expect(line.getByRole('button')).toHaveCount(0);
  await expect(pairPanel(page).getByRole('article').first()).toContainText(
    consoleError.older.replace('skua/', ''),
  );
  await expect(pairRow(page, consoleError)).toHaveAttribute('aria-current', 'true');
  await expect(recent.getByRole('listitem').filter({ hasText: reworded.older })).toContainText('Undo');
});

signedIn(
  'a partly refused decision shows the reason, can be retried, and can be undone',
  async ({ page, account, github }) => {
    const { small, emulator } = github;
    const [older, newer] = [4, 6].map((number) => `${small.owner}/${small.repo}#${number}`);
    await connectSmall(account, github);
    emulator.faults.add({
      match: { method: 'PATCH', path: `/issues/6$` },
      times: 1,
      action: { kind: 'status', status: 403, body: { message: 'Must have admin rights to Repository.' } },
    });
    await page.goto(OPEN_PAIRS);
    await pairRow(page, { older: older ?? '', newer: newer ?? '' })
      .getByRole('button', { name: 'Resolve' })
      .click();
    const dialog = page.getByRole('dialog', { name: /Resolve Similar Issues/ });
    await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
    await dialog.getByRole('button', { name: 'Close as Duplicate' }).click();
    await expect(dialog.getByText(/The rest could not be written/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

    await page.reload();
    const line = recentDecisions(page).getByRole('listitem').first();
    await expect(line).toContainText('Partly done');
    await expect(line).toContainText('Must have admin rights to Repository.');
    await line.getByRole('button', { name: 'Retry' }).click();
    await expect(line).not.toContainText('Partly done');
    await expect(line.getByRole('button', { name: 'Undo' }), 'it is written completely').toBeVisible();
    expect(emulator.issue(small.owner, small.repo, 6).state).toBe('closed');
    await line.getByRole('button', { name: 'Undo' }).click();
    await expect(line).toContainText('Undone');
    expect(emulator.issue(small.owner, small.repo, 6).state).toBe('open');
  },
);

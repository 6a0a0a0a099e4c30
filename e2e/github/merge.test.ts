import type { Page } from '@playwright/test';
import type { Account } from '@winnow/tools/browser/account.ts';
import { pairRow, searchPairs, toast } from '@winnow/tools/browser/similarity.ts';
import { connectSmall, type GitHub } from '../fixtures/github.ts';
import { expect, OPEN_PAIRS, signedIn } from '../fixtures/test.ts';

/** Issue numbers of a pair in the small backlog. No other test decides about this pair. */
const OLDER = 4;
const NEWER = 6;

/**
 * Opens the pair in the list. Returns its row, the keys of its issues, and their state on GitHub.
 */
async function openPair(page: Page, account: Account, github: GitHub) {
  const { emulator, small } = github;
  const { owner, repo } = small;
  await connectSmall(account, github);
  const [older, newer] = [`${owner}/${repo}#${OLDER}`, `${owner}/${repo}#${NEWER}`];
  await page.goto(OPEN_PAIRS);
  await searchPairs(page, newer);
  const row = pairRow(page, { older, newer });
  await expect(row).toBeVisible({ timeout: 20_000 });
  await row.focus();
  const trackerIssues = () =>
    [OLDER, NEWER].map((number) => {
      const { title, body, state, comments } = emulator.issue(owner, repo, number);
      return { title, body, state, comments: comments.length };
    });
  return { older, newer, row, trackerIssues };
}

signedIn(
  'a merge is written to GitHub, and undo restores the texts there',
  async ({ page, account, github }) => {
    const { older, newer, trackerIssues } = await openPair(page, account, github);
    const [olderBefore, newerBefore] = trackerIssues();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: /Merge Issues/ });
    await dialog.getByLabel('Title').fill('One title for both');
    const merged = await dialog.getByLabel('Description').inputValue();
    await expect(dialog.getByRole('button', { name: 'Resolve by Merging' })).toBeEnabled();
    await page.keyboard.press('Control+Enter');
    await expect(toast(page, `Merged ${newer} and ${older}.`)).toBeVisible();
    const [olderMerged, newerMerged] = trackerIssues();
    expect(olderMerged).toMatchObject({ title: 'One title for both', state: 'open' });
    expect(olderMerged?.body?.replaceAll('\r\n', '\n')).toBe(merged);
    expect(newerMerged).toMatchObject({
      title: newerBefore?.title,
      body: newerBefore?.body,
      state: 'closed',
    });
    await page.keyboard.press('z');
    await expect(toast(page, /^Undone: Merged/)).toBeVisible();
    expect(trackerIssues()).toEqual([olderBefore, newerBefore]);
  },
);

signedIn(
  'typed texts survive a change in the tracker, are written to both issues and undone',
  async ({ page, account, github }) => {
    const { older, newer, trackerIssues } = await openPair(page, account, github);
    const { emulator, small } = github;
    await page.keyboard.press('x');
    const dialog = page.getByRole('dialog', { name: /Deconflict Issues/ });
    const title = dialog.getByLabel(`Title of ${older}`);
    await title.fill('What I typed');
    await dialog.getByLabel(`Title of ${newer}`).fill('What I typed of the other');
    const confirm = dialog.getByRole('button', { name: 'Resolve by Deconflicting' });
    await expect(confirm).toBeEnabled();

    emulator.editAs('tomasz-r', small.owner, small.repo, NEWER, { body: 'Seen again, with another lid.' });
    const before = trackerIssues();
    await confirm.click();
    await expect(dialog.getByText('Nothing was written', { exact: true })).toBeVisible();
    await expect(dialog.getByText(/were reloaded/)).toBeVisible();
    expect(trackerIssues(), 'nothing was overwritten').toEqual(before);
    await expect(title).toHaveValue('What I typed');
    await expect(dialog.getByLabel(`Description of ${newer}`)).toHaveValue(/^Seen again, with another lid\./);

    await expect(confirm).toBeEnabled();
    await confirm.click();
    await expect(toast(page, `Deconflicted ${older} and ${newer}.`)).toBeVisible();
    const [olderAfter, newerAfter] = trackerIssues();
    expect(olderAfter).toMatchObject({ title: 'What I typed', state: 'open' });
    expect(newerAfter).toMatchObject({ title: 'What I typed of the other', state: 'open' });
    expect(newerAfter?.body).toMatch(/^Seen again, with another lid\./);
    await page.keyboard.press('z');
    await expect(toast(page, /^Undone: Deconflicted/)).toBeVisible();
    expect(trackerIssues()).toEqual(before);
  },
);

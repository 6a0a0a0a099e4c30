import { changeList } from '@winnow/contract/change';
import { issue as issueSchema } from '@winnow/contract/issue';
import type { Account } from '@winnow/tools/browser/account.ts';
import { choice, pairPanel, pairRow, samplePairs, toast } from '@winnow/tools/browser/similarity.ts';
import { expect, OPEN_PAIRS, openPairsOf, withOwnSample } from '../fixtures/test.ts';

/** Returns the title, description and state of an issue as stored in the tracker. */
async function trackerIssue(account: Account, key: string) {
  const { title, description, state } = await account.api.get(
    `/issues/${encodeURIComponent(key)}`,
    issueSchema.pick({ title: true, description: true, state: true }),
  );
  return { title, description, state };
}

withOwnSample('a merge by mouse is edited, previewed, written and undone', async ({ page, account }) => {
  const { older, newer } = samplePairs.sameError;
  const before = { older: await trackerIssue(account, older), newer: await trackerIssue(account, newer) };
  await page.goto('/console/issues?status=all&resolution=all&query=ERR_CHUNK_DIGEST');
  await pairRow(page, { older, newer }).getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: /Resolve Similar Issues/ });
  await dialog.getByRole('button', { name: /^Merge Issues/ }).click();
  await expect(dialog).toHaveAccessibleName('Resolve Similar Issues → Merge Issues');

  await expect(choice(dialog, 'Direction', `Merge into ${older} Closes ${newer}.`)).toBeChecked();
  const description = dialog.getByLabel('Description');
  await expect(description).toHaveValue(new RegExp(escaped(before.older.description.split('\n')[0] ?? '')));
  await expect(dialog.getByText(/^\d+ lines only from A, \d+ lines only from B/)).toBeVisible();
  await expect(dialog.getByText(/^Suggested by Built-in analyst\./)).toBeVisible();

  await dialog.getByRole('button', { name: 'Side by side' }).click();
  await expect(dialog.getByRole('article')).toHaveCount(2);
  await expect(dialog.locator('article mark').first()).toBeVisible();

  const title = 'ERR_CHUNK_DIGEST (4012) on mapped and network drives';
  await dialog.getByLabel('Title').fill(title);
  await expect(dialog.getByRole('heading', { name: /^4 writes to/ })).toBeVisible();
  await expect(dialog.locator('ins').filter({ hasText: 'drives' }).first()).toBeVisible();
  await expect(dialog.getByText(/was merged into this issue/)).toBeVisible();

  // Neither Back nor Escape may discard the input.
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByRole('button', { name: /^Merge Issues/ }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue(title);
  await dialog.getByLabel('Title').focus();
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('alertdialog')).toHaveText(/Discard what you typed\?/);
  await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('alertdialog')).toBeHidden();
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await expect(dialog.getByLabel('Title')).toHaveValue(title);
  const merged = await description.inputValue();

  await dialog.getByRole('button', { name: 'Resolve by Merging' }).click();
  const done = toast(page, `Merged ${newer} and ${older}.`);
  await expect(done).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await trackerIssue(account, older)).toEqual({ title, description: merged, state: 'opened' });
  expect(await trackerIssue(account, newer)).toEqual({ ...before.newer, state: 'closed' });
  await pairRow(page, { older, newer }).click();
  const decided = pairPanel(page).getByRole('region', { name: 'What was decided' });
  await expect(decided.getByText('Merged', { exact: true })).toBeVisible();
  await expect(decided.getByText(/^Edit the title and description of/)).toBeVisible();

  await done.getByRole('button', { name: /^Undo/ }).click();
  await expect(toast(page, /^Undone: Merged/)).toBeVisible();
  expect(await trackerIssue(account, older)).toEqual(before.older);
  expect(await trackerIssue(account, newer)).toEqual(before.newer);
});

withOwnSample('a merge by keyboard works in the opposite direction', async ({ page, account }) => {
  const { older, newer } = samplePairs.reworded;
  const before = { older: await trackerIssue(account, older), newer: await trackerIssue(account, newer) };
  await page.goto(OPEN_PAIRS);
  await pairRow(page, { older, newer }).focus();
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Resolve Similar Issues → Merge Issues' });
  await expect(choice(dialog, 'Direction', `Merge into ${older} Closes ${newer}.`)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(choice(dialog, 'Direction', `Merge into ${newer} Closes ${older}.`)).toBeChecked();
  await expect(dialog.getByLabel('Title')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type(', always');
  // Enter in a single-line field must not submit the form.
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Resolve by Merging' })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(toast(page, `Merged ${older} and ${newer}.`)).toBeVisible();
  const after = await trackerIssue(account, newer);
  expect(after.title).toMatch(/, always$/);
  expect(after.description.startsWith(before.newer.description.split('\n')[0] ?? '')).toBe(true);
  expect((await trackerIssue(account, older)).state).toBe('closed');
  await page.keyboard.press('z');
  await expect(toast(page, /^Undone: Merged/)).toBeVisible();
  expect(await trackerIssue(account, newer)).toEqual(before.newer);
  expect(await trackerIssue(account, older)).toEqual(before.older);
});

withOwnSample('deconflicting by keyboard writes both texts and undoes both', async ({ page, account }) => {
  const { older, newer } = samplePairs.consoleError;
  const before = { older: await trackerIssue(account, older), newer: await trackerIssue(account, newer) };
  await page.goto(OPEN_PAIRS);
  await pairRow(page, { older, newer }).focus();
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: 'Resolve Similar Issues → Deconflict Issues' });
  await dialog.getByLabel(`Title of ${newer}`).fill('Renaming a file after upload fails in Firefox');
  await expect(dialog.getByLabel(`Description of ${older}`)).toHaveValue(
    new RegExp(`Not the same as ${newer}`),
  );
  await expect(dialog.getByRole('heading', { name: /^2 writes to/ })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Resolve by Deconflicting' })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await expect(toast(page, `Deconflicted ${older} and ${newer}.`)).toBeVisible();
  const after = { older: await trackerIssue(account, older), newer: await trackerIssue(account, newer) };
  expect(after.newer).toMatchObject({
    title: 'Renaming a file after upload fails in Firefox',
    state: 'opened',
  });
  expect(after.older.description.startsWith(before.older.description.trimEnd())).toBe(true);
  expect(after.older.description).toContain(`Not the same as ${newer}`);
  await expect(pairRow(page, { older, newer }).getByText('Deconflicted')).toBeVisible();
  await page.keyboard.press('z');
  await expect(toast(page, /^Undone: Deconflicted/)).toBeVisible();
  expect({ older: await trackerIssue(account, older), newer: await trackerIssue(account, newer) }).toEqual(
    before,
  );
});

withOwnSample('a proposal writes nothing and waits for approval', async ({ page, account }) => {
  const { older, newer } = samplePairs.opposite;
  const before = await trackerIssue(account, older);
  await page.goto(openPairsOf(samplePairs.opposite));
  await pairRow(page, { older, newer }).getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog', { name: /Resolve Similar Issues/ });
  await dialog.getByRole('button', { name: /^Deconflict Issues/ }).click();
  await dialog.getByLabel(`Title of ${newer}`).fill('Keep the preview open after a download');
  await dialog.getByRole('button', { name: 'Propose instead' }).click();
  await dialog.getByLabel('Reason (optional)').fill('They want opposite things.');
  await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
  await expect(toast(page, `Proposed: Deconflict ${older} and ${newer}.`)).toBeVisible();
  await expect(dialog).toBeHidden();
  const { changes } = await account.api.get('/changes?status=proposed', changeList);
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({ rationale: 'They want opposite things.' });
  expect(await trackerIssue(account, older)).toEqual(before);
});

withOwnSample('texts can be written without a suggestion', async ({ page }) => {
  await page.route('**/ai-suggestion', (route) => route.abort());
  const { older, newer } = samplePairs.opposite;
  await page.goto(openPairsOf(samplePairs.opposite));
  await pairRow(page, { older, newer }).focus();
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: /Deconflict Issues/ });
  await expect(dialog.getByText('Failed to load suggestion.')).toBeVisible();
  await expect(dialog.getByText('Change at least one of the texts.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Resolve by Deconflicting' })).toBeDisabled();
  await dialog.getByLabel(`Title of ${older}`).fill('');
  await expect(dialog.getByText('A title is needed.').first()).toBeVisible();
  await dialog.getByLabel(`Title of ${older}`).fill('Another title');
  await expect(dialog.getByRole('button', { name: 'Resolve by Deconflicting' })).toBeEnabled();
});

withOwnSample('typed text is discarded only after confirmation', async ({ page }) => {
  await page.goto(openPairsOf(samplePairs.opposite));
  await pairRow(page, samplePairs.opposite).focus();
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: /Deconflict Issues/ });
  const title = dialog.getByLabel(`Title of ${samplePairs.opposite.older}`);
  const suggested = await title.inputValue();
  await title.fill('Typed');
  await dialog.getByRole('button', { name: 'Use the suggestion' }).click();
  await expect(title).toHaveValue(suggested);
  await page.keyboard.press('Escape');
  await expect(dialog, 'without input it closes').toBeHidden();

  await page.keyboard.press('x');
  await title.fill('Typed');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(pairRow(page, samplePairs.opposite)).toBeFocused();
  await page.keyboard.press('x');
  await expect(title).toHaveValue(suggested);
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

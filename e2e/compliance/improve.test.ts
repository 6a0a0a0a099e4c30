import { changeList } from '@winnow/contract/change';
import { complianceUpdated } from '@winnow/contract/compliance';
import { issue as issueSchema } from '@winnow/contract/issue';
import type { Account } from '@winnow/tools/browser/account.ts';
import {
  improveDialog,
  issuePanel,
  issueRow,
  issueSearch,
  issueTable,
  openScores,
  sampleIssues,
} from '@winnow/tools/browser/compliance.ts';
import { toast } from '@winnow/tools/browser/similarity.ts';
import { expect, withOwnSample, withSample } from '../fixtures/test.ts';

const KEY = sampleIssues.vague;
const SEARCH = `?query=${encodeURIComponent(KEY)}`;

/** Returns the issue as stored in the tracker. */
function trackerIssue({ api }: Account, key = KEY) {
  return api.get(
    `/issues/${encodeURIComponent(key)}`,
    issueSchema.pick({ id: true, title: true, description: true }),
  );
}

withOwnSample('a suggestion is edited, previewed, written and undone', async ({ page, account }) => {
  const before = await trackerIssue(account);
  await openScores(page, SEARCH);
  await issueRow(page, KEY)
    .getByRole('button', { name: /^More actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Improve Compliance' }).click();
  const dialog = improveDialog(page);
  await expect(dialog.getByText(/^Suggested by Built-in analyst\./)).toBeVisible();
  const description = dialog.getByLabel('Description');
  await expect(dialog.getByText(/\d+ lines? suggested/)).toBeVisible();
  const score = dialog.getByRole('region', { name: 'Score' });
  await expect(score.getByText('Goal clarity')).toBeVisible();
  await expect(score.getByText(/^Answer the (?:question|\d+ questions) in the description/)).toBeVisible();
  await expect(dialog.getByText(/\d+ lines? to answer/)).toBeVisible();

  const placeOf = async () => (await description.boundingBox())?.y;
  const place = await placeOf();
  await dialog.getByLabel('Title').fill('Give the client a dark theme');
  await expect(dialog.getByRole('button', { name: 'Use the suggestion' })).toBeVisible();
  expect(await placeOf(), 'typing moves nothing').toBe(place);
  const text = [
    await description.inputValue(),
    '',
    'So that people who work at night are not blinded, the client gets a dark theme.',
    '',
    '### Acceptance criteria',
    '- The window, the tray menu and every dialog are dark when the system is.',
    '- All texts have a contrast of at least 4.5:1.',
  ].join('\n');
  await description.fill(text);
  await expect(score.getByText(/^up \d+ points$/)).toBeVisible();
  const writes = dialog.getByRole('region', { name: 'What will be written' });
  await expect(writes.getByRole('heading', { name: '1 write to the sample backlog' })).toBeVisible();
  await writes.getByRole('button', { name: 'Show the diff' }).click();
  await expect(dialog.locator('ins').filter({ hasText: 'dark theme' }).first()).toBeVisible();
  await expect(dialog.locator('del').filter({ hasText: 'look better' })).toBeVisible();
  expect(await trackerIssue(account), 'nothing is written before it is applied').toEqual(before);

  await dialog.getByRole('textbox', { name: 'Changes' }).fill('Said what dark means.');

  await dialog.getByRole('button', { name: 'Apply' }).click();
  const unanswered = dialog.getByRole('alertdialog', { name: /not answered/ });
  await unanswered.getByRole('button', { name: 'Back to the text' }).click();
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeFocused();
  expect(await trackerIssue(account), 'unanswered questions are not written by default').toEqual(before);
  await dialog.getByRole('button', { name: 'Apply', exact: false }).click();
  await unanswered.getByRole('button', { name: 'Apply as it is' }).click();
  const done = toast(page, `Issue ${KEY} was successfully updated.`);
  await expect(done).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await trackerIssue(account)).toEqual({
    id: before.id,
    title: 'Give the client a dark theme',
    description: text,
  });
  const { changes } = await account.api.get('/changes', changeList);
  expect(changes[0]?.rationale).toBe('Said what dark means.');
  await expect(issueRow(page, KEY)).toContainText('Give the client a dark theme');
  await issueRow(page, KEY).click();
  const history = issuePanel(page).getByRole('region', { name: 'History of the score' });
  await expect(history.getByRole('listitem')).toHaveText([/% now, judged /, /% before, judged /]);

  await done.getByRole('button', { name: /^Undo/ }).click();
  await expect(toast(page, /^Undone:/)).toBeVisible();
  expect(await trackerIssue(account)).toEqual(before);
  await expect(issueRow(page, KEY)).toContainText(before.title);
});

withOwnSample(
  'an edit conflict shows the other change and keeps the form values',
  async ({ page, account }) => {
    const { id } = await trackerIssue(account);
    await openScores(page, SEARCH);
    await page.keyboard.press('j');
    await page.keyboard.press('i');
    const dialog = improveDialog(page);
    await dialog.getByLabel('Title').fill('Give the client a dark theme');
    await expect(dialog.getByRole('button', { name: 'Apply' })).toBeEnabled();
    const theirs = { description: 'It looks like it is from 2009. The tray icon, too.' };
    await account.api.send('PATCH', `/issue_compliance_update/${id}`, theirs, complianceUpdated);
    await page.keyboard.press('Control+Enter');
    await dialog.getByRole('button', { name: 'Apply as it is' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Nothing was written');
    const moved = dialog.getByRole('region', { name: 'What changed in the tracker' });
    await expect(moved.locator('ins').filter({ hasText: '2009' })).toBeVisible();
    await expect(dialog.getByLabel('Title')).toHaveValue('Give the client a dark theme');
    expect(await trackerIssue(account)).toMatchObject(theirs);

    await moved.getByRole('button', { name: 'Suggest again for the new text' }).click();
    await expect(dialog.getByLabel('Description')).toHaveValue(/from 2009/);
    await expect(dialog.getByLabel('Title')).toHaveValue('Give the client a dark theme');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(toast(page, `Issue ${KEY} was successfully updated.`)).toBeVisible();
    expect((await trackerIssue(account)).title).toBe('Give the client a dark theme');
    await page.keyboard.press('z');
    await expect(toast(page, /^Undone:/)).toBeVisible();
    expect(await trackerIssue(account)).toMatchObject(theirs);
  },
);

withSample('a click adds a question to the description, and undo removes it', async ({ page }) => {
  await openScores(page, `?query=${encodeURIComponent(sampleIssues.complete)}`);
  await issueRow(page, sampleIssues.complete)
    .getByRole('button', { name: /^More actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Improve Compliance' }).click();
  const dialog = improveDialog(page);
  const description = dialog.getByLabel('Description');
  const score = dialog.getByRole('region', { name: 'Score' });
  const one = score.getByRole('button', { name: /^Insert the question: / });
  await expect(one.first()).toBeVisible();
  const before = await description.inputValue();
  // Counts distinct questions, because several criteria may ask the same one.
  const questions = new Set(await one.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))).size;

  await one.first().click();
  await expect(description).toBeFocused();
  await expect(description).toHaveValue(/\n\n### Open questions\n\n- \[ \] _To clarify: .+_$/);
  await expect(score.getByText('In the description', { exact: true })).toHaveCount(1);
  await page.keyboard.press('Control+z');
  await expect(description).toHaveValue(before);

  await dialog.getByText('Diff', { exact: true }).click();
  await score.getByRole('button', { name: 'Insert the questions as a checklist' }).press('Enter');
  await expect.poll(async () => (await description.inputValue()).split('- [ ] ').length - 1).toBe(questions);
  await expect(one).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(description).toHaveValue(before);

  await score.getByRole('button', { name: /^Insert a \S+(?: report)? template$/ }).click();
  await expect(description).toHaveValue(/\n### Dependencies\n\n- \[ \] _To clarify: What does it depend on/);
});

withOwnSample('typed text survives going back and reloading the page', async ({ page }) => {
  await openScores(page);
  await issueSearch(page).fill(KEY);
  await issueSearch(page).press('Enter');
  // Waits for the search. The list before the search also contains the issue, but its row is about
  // to be replaced.
  await expect(page).toHaveURL(/[?&]query=/);
  await expect(issueTable(page)).toHaveAttribute('aria-busy', 'false');
  await issueRow(page, KEY).getByRole('button', { name: 'Improve', exact: true }).click();
  const dialog = improveDialog(page);
  await dialog.getByLabel('Title').fill('Typed');
  await page.goBack();
  await expect(dialog.getByRole('alertdialog')).toHaveText(/Discard what you typed\?/);
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page).toHaveURL(/[?&]query=/);
  await expect(dialog.getByLabel('Title')).toHaveValue('Typed');

  const asked = page.waitForEvent('dialog');
  const reload = page.evaluate(() => window.location.reload());
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await reload;
  await expect(dialog.getByLabel('Title')).toHaveValue('Typed');

  await page.goBack();
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(page).not.toHaveURL(/[?&]query=/);
  await expect(dialog).toBeHidden();
});

withOwnSample('texts can be written without a suggestion', async ({ page, account }) => {
  await page.route('**/issue_compliance_suggestion/*', (route) => route.abort());
  const before = await trackerIssue(account);
  await openScores(page, SEARCH);
  await issueRow(page, KEY).getByRole('button', { name: 'Improve', exact: true }).click();
  const dialog = improveDialog(page);
  await expect(dialog.getByText('Failed to load suggestion.')).toBeVisible();
  await expect(dialog.getByLabel('Title')).toHaveValue(before.title);
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await dialog.getByLabel('Title').fill('');
  await expect(dialog.getByText('A title is needed.').first()).toBeVisible();
  await dialog.getByLabel('Title').fill('Typed');
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeEnabled();
  await page.unroute('**/issue_compliance_suggestion/*');
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog.getByText(/^Suggested by Built-in analyst\./)).toBeVisible();
  await expect(dialog.getByLabel('Title')).toHaveValue('Typed');

  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('alertdialog')).toHaveText(/Discard what you typed\?/);
  await page.keyboard.press('Escape');
  await expect(dialog.getByLabel('Title')).toHaveValue('Typed');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(await trackerIssue(account)).toEqual(before);
  const { changes } = await account.api.get('/changes', changeList);
  expect(changes).toEqual([]);
});

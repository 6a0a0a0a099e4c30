import { changeList } from '@winnow/contract/change';
import {
  decideByKey,
  listedKeys,
  pairPanel,
  pairRows,
  searchField,
  toast,
} from '@winnow/tools/browser/similarity.ts';
import { expect, OPEN_PAIRS, withOwnSample, withSample } from '../fixtures/test.ts';

withOwnSample('a whole review works by keyboard alone', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  const rows = pairRows(page);
  await expect(rows).toHaveCount(10);
  const [first, second, third] = await listedKeys(page);
  const row = (keys: string | undefined) =>
    (keys ?? '').split(' ').reduce((found, key) => found.filter({ hasText: key }), rows);
  const { keyboard } = page;

  // Moves through the list and opens pairs.
  await keyboard.press('j');
  await expect(row(first)).toBeFocused();
  await keyboard.press('j');
  await expect(row(second)).toBeFocused();
  await keyboard.press('k');
  await expect(row(first)).toBeFocused();

  // A click beside the list removes the focus. The current row, on which the keys act, must stay
  // marked.
  const mark = () => row(first).evaluate((tr) => getComputedStyle(tr, '::before').content);
  await page.getByRole('heading', { level: 1 }).click();
  await expect(row(first)).not.toBeFocused();
  expect(await mark()).toBe('""');
  await keyboard.press('j');
  await expect(row(second)).toBeFocused();
  expect(await mark()).toBe('none');
  await keyboard.press('k');
  await expect(row(first)).toBeFocused();
  await keyboard.press('Enter');
  await expect(pairPanel(page)).toBeVisible();
  await expect(row(first)).toHaveAttribute('aria-current', 'true');
  await expect(page).toHaveURL(/selectedPair=/);
  await keyboard.press('j');
  await expect(row(second)).toHaveAttribute('aria-current', 'true');
  await keyboard.press('Escape');
  await expect(pairPanel(page)).toBeHidden();

  // Closes the issue as a duplicate, and undoes the decision.
  await keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Resolve Similar Issues → Close as Duplicate' });
  await expect(dialog.getByRole('heading', { name: /^3 writes/ })).toBeVisible();
  await keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await keyboard.press('d');
  await expect(dialog.getByRole('button', { name: 'Close as Duplicate' })).toBeEnabled();
  await keyboard.press('Control+Enter');
  await expect(toast(page, /^Closed \S+ as duplicate of \S+\./)).toBeVisible();
  await expect(row(second), 'a closed pair is not among the open ones').toBeHidden();
  await expect(row(third)).toBeFocused();
  await keyboard.press('z');
  await expect(toast(page, /^Undone: Closed/)).toBeVisible();
  await expect(row(second), 'the restored pair is selected').toBeFocused();

  // Marks a pair as unrelated and undoes that. Then dismisses the pair and undoes that too.
  await keyboard.press('j');
  await expect(row(third)).toBeFocused();
  await decideByKey(row(third), 'u');
  await expect(row(third).getByText('Unrelated')).toBeVisible();
  await keyboard.press('z');
  await expect(row(third).getByText('Unrelated')).toBeHidden();
  await expect(row(third)).toBeFocused();
  await decideByKey(row(third), 'e');
  await expect(row(third)).toBeHidden();
  await keyboard.press('z');
  await expect(row(third)).toBeVisible();

  // Opens the keyboard help and the search.
  await keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('Close as duplicate')).toBeVisible();
  await keyboard.press('Escape');
  await expect(help).toBeHidden();
  await keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  await keyboard.type('skua/sync#1430');
  await expect(rows.filter({ hasNotText: 'skua/sync#1430' })).toHaveCount(0);
  expect((await listedKeys(page)).length, 'letters in the search field decide nothing').toBeGreaterThan(0);
});

withOwnSample('j moves past the end of a page to the next page, and k moves back', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  const rows = pairRows(page);
  await expect(rows).toHaveCount(10);
  await rows.last().focus();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/page=2/);
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('k');
  await expect(page).not.toHaveURL(/page=2/);
  await expect(rows.last()).toBeFocused();
});

withSample('j always marks a row but never takes the focus from the panel', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  const rows = pairRows(page);
  await expect(rows).toHaveCount(10);
  const [first] = await listedKeys(page);
  const isFirstPage = async () => (await listedKeys(page))[0] === first;
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect.poll(isFirstPage).toBe(false);
  await page.keyboard.press('j');
  await expect(rows.first()).toBeFocused();
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Similarity' }).click();
  await expect.poll(isFirstPage).toBe(true);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  const close = pairPanel(page).getByRole('button', { name: 'Close panel' });
  await close.focus();
  await page.keyboard.press('j');
  await expect(rows.nth(2)).toHaveAttribute('aria-current', 'true');
  await expect(close).toBeFocused();
});

withOwnSample('decision keys do nothing while another dialog is open', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(pairRows(page)).toHaveCount(10);
  const before = await listedKeys(page);
  await page.keyboard.press('j');
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
  await page.keyboard.press('e');
  await page.keyboard.press('u');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await listedKeys(page)).toEqual(before);
});

withOwnSample(
  'repeated u decides one pair and none whose texts are not displayed yet',
  async ({ page, account }) => {
    const decided = async () => (await account.api.get('/changes', changeList)).total;
    await page.goto(OPEN_PAIRS);
    await pairRows(page).nth(2).click();
    await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route(/issue-duplicates\/[0-9a-f-]{36}$/, async (route) => {
      await answered;
      await route.continue();
    });
    const press = async (times: number) => {
      for (let time = 0; time < times; time += 1) await page.keyboard.press('u');
    };
    await press(6);
    const [first, second, third] = [pairRows(page).nth(2), pairRows(page).nth(3), pairRows(page).nth(4)];
    await expect(first.getByText('Unrelated')).toBeVisible();
    await expect(second).toHaveAttribute('aria-current', 'true');
    // The minimum interval between key presses has passed, but the second pair is not displayed
    // yet.
    await expect(toast(page, /^Marked/)).toBeHidden({ timeout: 15_000 });
    await press(1);
    await expect.poll(decided).toBe(1);

    answer();
    await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
    // The page moves to the next pair as soon as it accepts the key. The key press is therefore not
    // repeated for the next pair.
    const movesOn = async () => {
      const isCurrent = await third.getAttribute('aria-current');
      if (isCurrent === null) await press(1);
      return isCurrent;
    };
    await expect.poll(movesOn).toBe('true');
    await expect(second.getByText('Unrelated')).toBeVisible();
    await expect.poll(decided).toBe(2);
  },
);

withOwnSample('a held key decides nothing and activates nothing in a dialog', async ({ page, account }) => {
  await page.goto(OPEN_PAIRS);
  await pairRows(page).first().focus();
  const hold = async (key: string) => {
    for (let time = 0; time < 5; time += 1) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  await hold('Enter');
  const panel = pairPanel(page);
  await expect(panel.getByRole('article')).toHaveCount(2);
  await expect(page.getByRole('dialog')).toBeHidden();
  await hold('Enter');
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Resolve Similar Issues');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await hold('u');
  await expect(pairRows(page).first().getByText('Unrelated')).toBeVisible();
  await expect.poll(async () => (await account.api.get('/changes', changeList)).total).toBe(1);
});

withOwnSample('closing a dialog returns the focus to its row', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(pairRows(page)).toHaveCount(10);
  await page.keyboard.press('j');
  await page.keyboard.press('d');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(pairRows(page).first()).toBeFocused();
});

withOwnSample('deconflicting by x starts in the title of the first issue', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(pairRows(page)).toHaveCount(10);
  const title = page.getByRole('dialog').getByLabel(/^Title of /);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(title.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('x');
  await expect(title.first(), 'even if the texts are already loaded').toBeFocused();
});

withOwnSample('the focus moves on from a decided pair even if the list updates late', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(pairRows(page)).toHaveCount(10);
  const [, second, third] = await listedKeys(page);
  const row = (keys = '') =>
    keys.split(' ').reduce((found, key) => found.filter({ hasText: key }), pairRows(page));
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(row(second)).toBeFocused();
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Close as Duplicate' })).toBeEnabled();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/v1/issue-duplicates?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  release();
  await expect(row(second)).toBeHidden();
  await expect(row(third)).toBeFocused();
});

withOwnSample('after a bulk dismissal the focus is on the row that replaced the pairs', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(pairRows(page)).toHaveCount(10);
  const [, , third] = await listedKeys(page);
  for (const key of ['j', 's', 'j', 's', 'e']) await page.keyboard.press(key);
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Dismiss 2 pairs' });
  await confirm.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect.poll(async () => (await listedKeys(page))[0]).toBe(third);
  await expect(page.getByRole('table').locator('tbody tr:focus')).toHaveCount(1);
});

withOwnSample('decision keys report that a pair is already decided', async ({ page }) => {
  await page.goto(OPEN_PAIRS);
  await expect(pairRows(page)).toHaveCount(10);
  await page.keyboard.press('j');
  await page.keyboard.press('u');
  await expect(pairRows(page).first().getByText('Unrelated')).toBeVisible();
  await expect(pairRows(page).nth(1)).toBeFocused();
  await page.keyboard.press('k');
  for (const key of ['d', 'm', 'x']) {
    await page.keyboard.press(key);
    const said = toast(page, 'Already marked as unrelated.');
    await expect(said).toBeVisible();
    await said.getByRole('button', { name: 'Close this message' }).click();
    await expect(said).toBeHidden();
    await pairRows(page).first().focus();
  }
  await page.keyboard.press('Enter');
  await expect(pairPanel(page).getByRole('article')).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Already marked as unrelated.')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

import { choice, filterTag, listedKeys, pairRows, searchField } from '@winnow/tools/browser/similarity.ts';
import { expect, withSample } from '../fixtures/test.ts';

withSample(
  'the Filters dialog edits a draft: Cancel and Escape discard it, Apply uses it',
  async ({ page }) => {
    await page.goto('/console/issues');
    await expect(pairRows(page)).toHaveCount(10);
    const opener = page.getByRole('button', { name: 'Filters' });
    const dialog = page.getByRole('dialog', { name: 'Filters' });

    for (const leave of ['Cancel', 'Escape']) {
      await opener.click();
      await choice(dialog, 'Issue Status', 'At least one closed').check();
      await choice(dialog, 'Resolution Status', 'Resolved').check();
      if (leave === 'Cancel') await dialog.getByRole('button', { name: 'Cancel' }).click();
      else await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(page).toHaveURL('/console/issues');
      await expect(opener).toBeFocused();
    }

    await opener.click();
    await expect(choice(dialog, 'Issue Status', 'Worth a decision')).toBeChecked();
    await choice(dialog, 'Issue Status', 'At least one closed').check();
    await choice(dialog, 'Resolution Status', 'All').check();
    await choice(dialog, 'Probability', 'Any').check();
    await dialog.getByRole('checkbox', { name: 'Skua Web' }).check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(/status=closed/);
    await expect(page).toHaveURL(/resolution=all/);
    await expect(page).toHaveURL(/projects=[0-9a-f]{8}/);
    await expect
      .poll(async () => (await listedKeys(page)).every((keys) => keys.includes('skua/web')))
      .toBe(true);
    for (const row of await pairRows(page).all()) {
      await expect(row.getByRole('img', { name: 'closed' }).first()).toBeVisible();
    }
  },
);

withSample('each filter has a tag that removes it, and Clear all removes all', async ({ page }) => {
  await page.goto('/console/issues?status=all&resolution=all');
  await page.getByRole('button', { name: 'Remove the filter Status' }).click();
  await expect(page).toHaveURL('/console/issues?resolution=all');
  await expect(filterTag(page, 'Resolution')).toContainText('All');
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/console/issues');
  await expect(page.getByRole('button', { name: 'Clear all' })).toBeHidden();
});

withSample(
  'a click on a project of the chart filters by it, and a second click removes the filter',
  async ({ page }) => {
    await page.goto('/console/issues');
    const chart = page.getByRole('region', { name: 'Similar issues per project' });
    const counted = (of: string) =>
      chart.getByText(new RegExp(`^\\d+ of \\d+ ${of} (is|are) in an unresolved pair`));
    await expect(counted('open issues')).toContainText(/a probability of \d+% or more\.$/);
    const web = chart.getByRole('button', { name: /^Skua Web/ });
    await web.click();
    await expect(web).toHaveAttribute('aria-pressed', 'true');
    await expect(page).toHaveURL(/projects=[0-9a-f]{8}$/);
    await expect(filterTag(page, 'Projects')).toContainText('Skua Web');
    await expect(counted('open issues of Skua Web')).toBeVisible();
    await expect
      .poll(async () => (await listedKeys(page)).every((keys) => keys.includes('skua/web')))
      .toBe(true);
    await web.click();
    await expect(page).toHaveURL('/console/issues');
  },
);

withSample('Across all includes pairs of two projects, Within one project does not', async ({ page }) => {
  const ofTwoProjects = (keys: string) => keys.includes('skua/web') && keys.includes('skua/sync');
  await page.goto('/console/issues?query=link&probability=0&scope=project');
  await expect(pairRows(page).first()).toBeVisible();
  expect((await listedKeys(page)).some(ofTwoProjects)).toBe(false);
  const scope = page.getByRole('radiogroup', { name: 'Where the issues of a pair come from' });
  await scope.getByText('Across all').click();
  await expect(page).not.toHaveURL(/scope=/);
  await expect.poll(async () => (await listedKeys(page)).some(ofTwoProjects)).toBe(true);
});

withSample('typing searches keys and titles, and the clear button empties the field', async ({ page }) => {
  await page.goto('/console/issues');
  await searchField(page).fill('journal.db');
  await expect(page).toHaveURL(/query=journal\.db/);
  await expect
    .poll(async () => (await pairRows(page).allTextContents()).every((text) => text.includes('journal.db')))
    .toBe(true);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(page).toHaveURL('/console/issues');
  await expect(pairRows(page)).toHaveCount(10);
});

import { project } from '@winnow/contract/issue';
import {
  choice,
  filterTag,
  listedKeys,
  pairPanel,
  pairRow,
  pairRows,
  samplePairs,
  searchField,
} from '@winnow/tools/browser/similarity.ts';
import { expect, OPEN_PAIRS, withSample } from '../fixtures/test.ts';

withSample('invalid parameters in the address fall back to the defaults', async ({ page }) => {
  await page.goto(
    '/console/issues?page=0&status=bogus&resolution=7&projects=xyz&selectedPair=nobody&scope=moon',
  );
  await expect(pairRows(page)).toHaveCount(10);
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(page.getByText('Clear all')).toBeHidden();
});

withSample(
  'filters, page and open pair are in the address and survive Back, Forward and reload',
  async ({ page }) => {
    await page.goto(OPEN_PAIRS);
    await expect(pairRows(page)).toHaveCount(10);
    const firstPage = await listedKeys(page);

    await page.getByRole('link', { name: 'Next page' }).click();
    await expect(page).toHaveURL(/[?&]page=2/);
    await expect(page.getByText(/^Page 2 of/)).toBeVisible();
    await expect.poll(() => listedKeys(page)).not.toEqual(firstPage);
    const secondPage = await listedKeys(page);

    await pairRows(page).nth(2).click();
    await expect(page).toHaveURL(/selectedPair=/);
    const panel = pairPanel(page);
    await expect(panel.getByText(/^13 of /)).toBeVisible();
    const open = new URL(page.url()).search;

    await page.reload();
    await expect(panel.getByText(/^13 of /)).toBeVisible();
    expect(await listedKeys(page)).toEqual(secondPage);
    expect(new URL(page.url()).search).toBe(open);

    await page.goBack();
    await expect(panel).toBeHidden();
    await expect(page).toHaveURL(/[?&]page=2/);
    await page.goBack();
    await expect(page.getByText(/^Page 1 of/)).toBeVisible();
    await expect.poll(() => listedKeys(page)).toEqual(firstPage);
    await page.goForward();
    await expect.poll(() => listedKeys(page)).toEqual(secondPage);
  },
);

withSample(
  'changing filters resets to page 1 with the panel closed, and Back reverts it',
  async ({ page }) => {
    await page.goto(`${OPEN_PAIRS}&page=2`);
    await pairRows(page).first().click();
    await expect(pairPanel(page)).toBeVisible();
    await page.getByRole('button', { name: 'Filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await choice(dialog, 'Issue Status', 'At least one closed').check();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(/status=closed/);
    await expect(page).not.toHaveURL(/page=|selectedPair=/);
    await expect(pairPanel(page)).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(/page=2.*selectedPair=/);
    await expect(pairPanel(page)).toBeVisible();
  },
);

withSample('an address with every filter shows every filter', async ({ page, account }) => {
  const projects = await account.api.get('/projects', project.array());
  const sync = projects.find(({ name }) => name === 'Skua Sync');
  const segment = sync?.id.split('-')[0];
  await page.goto(
    `/console/issues?status=all&resolution=all&probability=0&projects=${segment}&query=ERR_CHUNK`,
  );
  await expect(pairRow(page, samplePairs.sameError)).toBeVisible();
  await expect(searchField(page)).toHaveValue('ERR_CHUNK');
  await expect(filterTag(page, 'Status')).toContainText('All');
  await expect(filterTag(page, 'Resolution')).toContainText('All');
  await expect(filterTag(page, 'Probability')).toContainText('Any');
  await expect(filterTag(page, 'Projects')).toContainText('Skua Sync');
  await page.getByRole('button', { name: 'Filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Filters' });
  await expect(choice(dialog, 'Issue Status', 'All')).toBeChecked();
  await expect(choice(dialog, 'Resolution Status', 'All')).toBeChecked();
  await expect(choice(dialog, 'Probability', 'Any')).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'Skua Sync' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'Skua Web' })).not.toBeChecked();
});

withSample('a link to a pair opens it even if the list does not contain it', async ({ page }) => {
  await page.goto('/console/issues');
  const link = pairRow(page, samplePairs.consoleError).getByRole('link').first();
  const href = await link.getAttribute('href');
  const pairId = new URL(href ?? '', page.url()).searchParams.get('selectedPair');
  expect(pairId).not.toBeNull();
  await page.goto(`/console/issues?page=3&selectedPair=${pairId}`);
  await expect(pairPanel(page).getByRole('article').first()).toContainText(
    samplePairs.consoleError.older.replace('skua/', ''),
  );
});

withSample('a link to an unknown pair shows an error, and the list stays', async ({ page }) => {
  await page.goto('/console/issues?selectedPair=3f0c2a52-7d4f-4a3b-9a55-0d1f5f0a7e11');
  await expect(pairPanel(page).getByRole('alert')).toBeVisible();
  await expect(pairRows(page)).toHaveCount(10);
});

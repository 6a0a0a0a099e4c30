import type { Locator, Page } from '@playwright/test';
import { apiKeyList, createdApiKey } from '@winnow/contract/api-key';
import { change } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { createKey, openNewKey } from '@winnow/tools/browser/api-keys.ts';
import { changePanel } from '@winnow/tools/browser/changes.ts';
import { choose } from '@winnow/tools/browser/models.ts';
import { expect, signedIn as test, withOwnSample } from '../fixtures/test.ts';

const SCREEN = '/console/settings/api-keys';

/** Follows a link of the console. Back then returns to a screen of the console. */
async function goToScreen(page: Page): Promise<void> {
  await page.goto('/console/settings/profile');
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'API Keys' }).click();
  await expect(page).toHaveURL(SCREEN);
}

async function widthOf(element: Locator): Promise<number | undefined> {
  return (await element.boundingBox())?.width;
}

/** Sends a request with this API key and returns the response. */
function callWith(url: string, key: string, path: string, method = 'GET', body?: unknown) {
  return fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test('the sidebar and the number of API requests link to API Keys', async ({ page }) => {
  await goToScreen(page);
  await expect(page.getByText('No API keys yet')).toBeVisible();
  await page.goto('/console');
  await page.getByRole('link', { name: 'Total API Requests' }).click();
  await expect(page).toHaveURL(SCREEN);
});

test('a key is shown once, works until it is revoked, and is listed with its usage', async ({
  page,
  context,
  product,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(SCREEN);
  const { shown, key } = await createKey(page, 'Laptop');
  await expect(shown.getByText('Copy the key now: it is not shown again.')).toBeVisible();
  await expect(shown.getByRole('button', { name: 'Copy: API key Laptop' })).toBeFocused();
  const copyWidth = await widthOf(shown.getByRole('button', { name: 'Copy: API key Laptop' }));
  await page.keyboard.press('Enter');
  await expect(shown.getByRole('button', { name: 'Copy: API key Laptop' })).toHaveText('Copied');
  expect(await widthOf(shown.getByRole('button', { name: 'Copy: API key Laptop' }))).toBe(copyWidth);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await shown.getByRole('button', { name: 'Copy: Try it' }).click();
  const example = `curl "${product.url}/api/v1/search?query=login" \\\n  -H "Authorization: Bearer ${key}"`;
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(example);

  await shown.getByRole('button', { name: 'Copy: Claude Code, in a terminal' }).click();
  const connect = `export WINNOW_API_KEY=${key}\nclaude mcp add --transport http winnow \\\n  ${product.url}/mcp \\\n`;
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(connect);
  await expect(shown.getByRole('link', { name: 'Cursor, Windsurf and other tools' })).toHaveAttribute(
    'href',
    '/docs#mcp',
  );

  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(shown, 'the key is not lost by mistake').toBeVisible();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Create API key' })).toBeFocused();
  expect(await page.content()).not.toContain(key);

  expect((await callWith(product.url, key, '/search')).status).toBe(200);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Laptop' });
  await expect(row).toContainText(`${key.slice(0, 10)}…`);
  await expect(row).toContainText('1 request');
  await expect(row.getByRole('cell', { name: 'Never' })).toBeVisible();
  expect(await page.content()).not.toContain(key);

  await row.getByRole('button', { name: 'Revoke Laptop' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke API key' });
  await expect(question).toContainText('Are you sure you want to revoke this API key?');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create API key' })).toBeFocused();
  expect((await callWith(product.url, key, '/search')).status).toBe(401);
});

test('the dialog stays open while a key is created', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/auth/api-keys', async (route) => {
    if (route.request().method() === 'POST') await held.promise;
    await route.continue();
  });
  await goToScreen(page);
  const dialog = await openNewKey(page);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.goBack();
  await dialog.getByRole('button', { name: 'Stay' }).click();
  held.resolve();
  await expect(page.getByRole('dialog', { name: 'Your new API key' })).toBeVisible();
});

test('going back or closing does not lose a key that was not copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await goToScreen(page);
  const { shown } = await createKey(page, 'Laptop');
  const question = shown.getByRole('alertdialog', { name: /Leave without the key/ });
  await page.goBack();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL(SCREEN);
  await shown.getByRole('button', { name: 'Close' }).click();
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await shown.getByRole('button', { name: 'Copy: API key Laptop' }).click();
  await expect(shown.getByRole('button', { name: 'Copy: API key Laptop' })).toHaveText('Copied');
  await shown.getByRole('button', { name: 'Close' }).click();
  await expect(shown).toHaveCount(0);
});

test('a key gets the selected expiry and scopes, and Enter creates it', async ({ page, account }) => {
  await page.goto(SCREEN);
  const dialog = await openNewKey(page);
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Create', exact: true })).toBeDisabled();
  await name.fill('   ');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Create', exact: true })).toBeDisabled();

  await choose(dialog, 'Expires', '30 days');
  await expect(dialog.getByText(/^The key works until \w+ \d+, \d{4}\.$/)).toBeVisible();
  for (const scope of ['Read', 'Propose', 'Write']) {
    await dialog.getByRole('checkbox', { name: scope }).uncheck();
  }
  await name.fill('Triage bot');
  await name.press('Enter');
  await expect(dialog.getByText('Choose at least one scope.')).toBeVisible();
  expect(await account.api.get('/auth/api-keys', apiKeyList)).toEqual([]);

  await dialog.getByRole('checkbox', { name: 'Propose' }).check();
  await name.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  await expect(shown).toBeVisible();
  await expect(shown.getByText('Try it'), 'the key has no search scope').toHaveCount(0);
  const [created] = await account.api.get('/auth/api-keys', apiKeyList);
  expect(created).toMatchObject({ name: 'Triage bot', scopes: ['propose'] });
  const days = (Date.parse(created?.expires_at ?? '') - Date.parse(created?.created_at ?? '')) / 86_400_000;
  expect(Math.round(days)).toBe(30);
});

test('form values survive a failure to create the key and can be resubmitted', async ({ page }) => {
  let broken = true;
  await page.route('**/api/v1/auth/api-keys', (route) =>
    broken && route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { detail: 'Broken.', code: 'broken', request_id: 'r-1' } })
      : route.continue(),
  );
  await page.goto(SCREEN);
  const dialog = await openNewKey(page);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await dialog.getByRole('checkbox', { name: 'Write' }).uncheck();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('Broken.');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Laptop');
  await expect(dialog.getByRole('checkbox', { name: 'Write' })).not.toBeChecked();
  broken = false;
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Your new API key' })).toBeVisible();
});

test('an expired key is marked and can still be removed', async ({ page, account, product }) => {
  const { key } = await account.api.send(
    'POST',
    '/auth/api-keys',
    { name: 'Old', expires_at: new Date(Date.now() + 2_000).toISOString() },
    createdApiKey,
  );
  await expect.poll(async () => (await callWith(product.url, key, '/search')).status).toBe(401);
  await page.goto(SCREEN);
  const row = page.getByRole('row').filter({ hasText: 'Old' });
  await expect(row.getByText('Expired')).toBeVisible();
  await row.getByRole('button', { name: 'Revoke Old' }).click();
  await page.getByRole('dialog', { name: 'Revoke API key' }).getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
});

test('a list that fails to load shows an error, and Retry loads it', async ({ page }) => {
  let broken = true;
  await page.route('**/api/v1/auth/api-keys', (route) =>
    broken
      ? route.fulfill({ status: 500, json: { detail: 'Broken.', code: 'broken', request_id: 'r-1' } })
      : route.continue(),
  );
  await page.goto(SCREEN);
  await expect(page.getByRole('alert')).toContainText('Failed to fetch API keys');
  broken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
});

withOwnSample(
  'proposals of a key appear under Changes with the name of the key',
  async ({ page, account, product }) => {
    const { key } = await account.api.send(
      'POST',
      '/auth/api-keys',
      { name: 'Triage bot', scopes: ['propose'] },
      createdApiKey,
    );
    const { duplicates } = await account.api.get('/issue-duplicates?limit=1', pairList);
    const payload = {
      issue1_id: duplicates[0]?.issue1.id,
      issue2_id: duplicates[0]?.issue2.id,
      resolution: 'unrelated',
    };
    const answer = await callWith(product.url, key, '/issue-duplicates/propose-resolution', 'PATCH', payload);
    const { id } = change.parse(await answer.json());
    await page.goto(`/console/changes?selected=${id}`);
    await expect(changePanel(page).getByText('Triage bot (API key)')).toBeVisible();
  },
);

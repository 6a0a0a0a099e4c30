import { readFile } from 'node:fs/promises';
import { aiModelTestResult } from '@winnow/contract/ai-model';
import { createdApiKey } from '@winnow/contract/api-key';
import { apiUsage } from '@winnow/contract/usage';
import type { Account } from '@winnow/tools/browser/account.ts';
import { addModel } from '../fixtures/models.ts';
import { expect, signedIn as test } from '../fixtures/test.ts';

const SCREEN = '/console/api-usage';

/** Creates an API key of the account. Returns a function that calls the API with it. */
async function newKey(url: string, { api }: Account) {
  const { key } = await api.send(
    'POST',
    '/auth/api-keys',
    { name: '=Laptop', expires_at: null },
    createdApiKey,
  );
  const authorization = `Bearer ${key}`;
  return {
    get: (path: string) => fetch(`${url}/api/v1${path}`, { headers: { authorization } }),
    ask: (method: string, params: object) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          authorization,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      }),
  };
}

test('without requests the screen explains what fills it', async ({ page }) => {
  await page.goto('/console');
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'API Usage' }).click();
  await expect(page).toHaveURL(SCREEN);
  await expect(page.getByText('No requests yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Connect a coding tool' })).toHaveAttribute(
    'href',
    '/docs#mcp',
  );
  await page.getByRole('link', { name: 'Create API key' }).click();
  await expect(page).toHaveURL('/console/settings/api-keys');
});

test('requests appear as they are made, by endpoint and key, in a chart, a table and an export', async ({
  page,
  product,
  account,
}) => {
  const key = await newKey(product.url, account);
  await page.goto(SCREEN);
  await expect(page.getByText('No requests yet')).toBeVisible();
  for (const path of ['/search', '/search', '/search?limit=none']) await key.get(path);
  await key.ask('tools/call', { name: 'list_projects', arguments: {} });

  const endpoints = page.getByRole('table', { name: 'Endpoints' });
  const rows = endpoints.getByRole('row');
  await expect(rows.nth(1), 'updates without reloading').toContainText(/\/api\/v1\/search.*3.*1 \(33%\)/);
  await expect(rows.nth(2)).toContainText(/MCP.*tools\/call list_projects.*1/);
  const keys = page.getByRole('table', { name: 'Requests by API key' });
  await expect(keys.getByRole('row', { name: '=Laptop' })).toContainText('100%');

  await endpoints.getByRole('button', { name: 'Endpoint' }).click();
  await expect(endpoints.getByRole('columnheader', { name: 'Endpoint' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await endpoints.getByRole('button', { name: 'Endpoint' }).click();
  await expect(rows.nth(1)).toContainText('tools/call');
  await expect(page).toHaveURL(`${SCREEN}?sort=endpoint&reversed=true`);

  const days = page.getByRole('slider', { name: 'Requests by day' });
  await days.focus();
  await expect(days).toHaveAttribute('aria-valuetext', /: 4 requests, 1 failed$/);
  await expect(page.getByText(/: 4 requests, 1 failed$/)).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(days).toHaveAttribute('aria-valuetext', /: 0 requests$/);
  const below = await endpoints.boundingBox();
  await page.getByRole('button', { name: 'Table' }).click();
  expect(await endpoints.boundingBox(), 'the layout below does not move').toEqual(below);
  const table = page.getByRole('region', { name: 'Requests by day' });
  await expect(table.getByRole('row')).toHaveCount(31);
  await expect(table.getByRole('row').nth(1)).toContainText('41');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^winnow-api-usage-[\d-]{10}-[\d-]{10}\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.split('\r\n').slice(1, 2)).toEqual([
    expect.stringMatching(/^api,[\d-]{10},\/api\/v1\/search,GET,'=Laptop,3,1,[\d.]+,[\d.]+,/),
  ]);
});

test('the date range is in the address, and an invalid range is explained', async ({
  page,
  product,
  account,
}) => {
  const key = await newKey(product.url, account);
  await key.get('/search');
  await page.goto(SCREEN);
  await expect(page.getByRole('table', { name: 'Endpoints' })).toBeVisible();
  const range = page.getByRole('combobox', { name: 'Range' });
  await range.selectOption('Last 7 Days');
  await expect(page).toHaveURL(`${SCREEN}?range=7d`);
  await range.selectOption('Custom');
  await expect(page).toHaveURL(/range=custom&from=[\d-]{10}&to=[\d-]{10}$/);
  await page.getByLabel('End date').fill('2025-02-01');
  const start = page.getByLabel('Start date');
  await expect(start).toHaveAccessibleDescription(/is after the end date/);
  await expect(start).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeDisabled();
  await start.fill('2025-01-01');
  await expect(page.getByText('No requests in this period')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export CSV' }), 'the file would be empty').toBeDisabled();
  await page.goBack();
  await page.goBack();
  await expect(range).toHaveValue('30d');
  await expect(page.getByRole('table', { name: 'Endpoints' })).toBeVisible();
});

test('a custom range can be typed', async ({ page }) => {
  await page.goto(`${SCREEN}?range=custom&from=2024-01-05&to=2024-01-31`);
  const start = page.getByLabel('Start date');
  await start.focus();
  await page.keyboard.type('10152023');
  await expect(start).toHaveValue('2023-10-15');
  await expect(page).toHaveURL(`${SCREEN}?range=custom&from=2023-10-15&to=2024-01-31`);
  await page.keyboard.press('Tab');
  const end = page.getByLabel('End date');
  await end.focus();
  await page.keyboard.type('0203');
  await end.blur();
  await expect(end, 'the year was filled in before').toHaveValue('2024-02-03');
  await expect(page).toHaveURL(`${SCREEN}?range=custom&from=2023-10-15&to=2024-02-03`);

  await start.focus();
  await page.keyboard.type('12');
  await page.keyboard.press('Delete');
  await expect(start, 'unfinished').toHaveValue('');
  await start.blur();
  await expect(start).toHaveValue('2023-12-15');
});

test('invalid dates are reported at their field and not requested', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/api-usage')) asked.push(request.url());
  });
  await page.goto(`${SCREEN}?range=custom&from=2017-04-10&to=2024-03-01`);
  await expect(page.getByLabel('Start date')).toHaveAccessibleDescription(/2,518 days. Choose at most 400/);
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await page.goto(`${SCREEN}?range=custom&to=2100-01-01`);
  await expect(page.getByLabel('End date')).toHaveAccessibleDescription(/is in the future/);
  expect(asked).toEqual([]);
});

test('AI calls without requests are shown, and unknown costs are marked as unknown throughout', async ({
  page,
  account,
  models,
}) => {
  const { id, provider_name, model_identifier, api_url } = await addModel(account, models, 'Our own');
  const tried = { model_id: id, provider_name, model_identifier, api_url };
  await account.api.send('POST', '/ai-models/test', tried, aiModelTestResult);
  await page.goto(SCREEN);
  await expect(page.getByRole('table', { name: 'AI calls by model' })).toContainText('Unknown');
  const cost = page.getByRole('term').filter({ hasText: 'AI cost' }).locator('xpath=..');
  await expect(cost).toContainText('Unknown');
  await expect(cost).not.toContainText('$0.00');
  await expect(page.getByText('No requests in this period.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeEnabled();
  await page.getByRole('radiogroup', { name: 'What is shown' }).getByText('AI calls').click();
  await expect(page.getByText('No requests in this period.')).toHaveCount(0);
});

test('usage that fails to load can be retried', async ({ page, product, account }) => {
  const key = await newKey(product.url, account);
  await key.get('/search');
  // Waits until the request is counted. After that, no event reloads the screen.
  await expect.poll(async () => (await account.api.get('/auth/api-usage', apiUsage)).requests_ever).toBe(1);
  await page.route('**/api/v1/auth/api-usage?*', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Not now.' } }),
  );
  await page.goto(SCREEN);
  await expect(page.getByRole('alert')).toContainText('Failed to fetch API usage');
  await page.unroute('**/api/v1/auth/api-usage?*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('table', { name: 'Endpoints' })).toBeVisible();
});

import { expectNoViolations } from '../accessibility/no-violations.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

/** All public pages, each with the heading that it shows before any input. */
const PAGES = {
  '/': 'Know which issues are the same',
  '/features/duplicates': 'Eliminate Duplicates & Overlap',
  '/features/compliance': 'Achieve Compliance for Every Issue',
  '/features/dependencies': 'Discover Unmapped Dependencies',
  '/pricing': 'Pricing',
  '/whatis-mcp': 'What is MCP?',
  '/docs': 'Documentation',
  '/terms': 'Terms of Service',
  '/privacy': 'Privacy Policy',
  '/login': 'Sign in',
  '/register': 'Create your account',
  '/forgot-password': 'Forgot your password?',
  '/reset-password': 'Choose a new password',
  '/verify-email': 'Email Verification Failed',
  '/request-demo': 'Request Demo',
  '/welcome?username=ada&email=ada%40example.com&token=x': 'Welcome to Winnow',
} as const;
const WIDTHS = [360, 768, 1440].map((width) => ({ width, height: 900 }));

for (const [path, heading] of Object.entries(PAGES)) {
  test(`${path} renders without an error, and axe finds no violations`, async ({ page }) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByRole('link', { name: 'Winnow home page' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toContainText('San Francisco');
    if (path === '/pricing') await expect(page.getByText('$200/mo').first()).toBeVisible();
    await expectNoViolations(page, WIDTHS);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(width, 'nothing exceeds the width').toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
  });
}

test('an unknown address shows a page without axe violations', async ({ page }) => {
  const answer = await page.goto('/no-such-page');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoViolations(page, WIDTHS);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  for (const path of ['/', '/docs', '/pricing', '/whatis-mcp', '/login'] as const) {
    test(`${path} can be read`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(PAGES[path]);
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    });
  }
});

test('links lead from the landing page without full page loads', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).click();
  await expect(page).toHaveURL('/docs');
  await expect(page).toHaveTitle('Documentation · Winnow');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Documentation');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(PAGES['/']);
  await page.getByRole('main').getByRole('link', { name: 'Get Started', exact: true }).click();
  await expect(page).toHaveURL('/register');
  expect(await page.evaluate(() => 'stays' in window)).toBe(true);
});

test('documentation code has a copy button and scrolls separately on a phone', async ({
  page,
  context,
  product,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'API Documentation' }).click();
  const block = page.locator('[data-code]').filter({ hasText: 'claude mcp add' });
  const scrolled = await block.locator('pre').evaluate((pre) => {
    pre.scrollLeft = 1000;
    return pre.scrollLeft;
  });
  expect(scrolled).toBeGreaterThan(0);
  await block.getByRole('button', { name: 'Copy this code' }).click();
  await expect(block.getByRole('button', { name: 'Copied this code' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`${product.url}/mcp`);
  expect(copied).toMatch(/^claude mcp add .*\$WINNOW_API_KEY"$/s);
});

/** String that occurs only in the code of zod. */
const ZOD = '_zod';

test('the landing page does not load the schemas', async ({ page }) => {
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url());
  });
  const withZod = async () => {
    await page.waitForLoadState('networkidle');
    const texts = await Promise.all(
      [...scripts].map(async (url) => ({ url, text: await (await page.request.get(url)).text() })),
    );
    return texts.filter(({ text }) => text.includes(ZOD)).map(({ url }) => url);
  };
  await page.goto('/');
  await expect(page.getByRole('tab', { name: 'Cursor' })).toBeVisible();
  expect(await withZod()).toEqual([]);
  expect(scripts.size).toBeGreaterThan(0);
  await page.goto('/console');
  await expect(page).toHaveURL(/login/);
  expect(await withZod(), 'the search finds zod in a page that has it').not.toEqual([]);
});

test('content that fails to load shows an error', async ({ page }) => {
  await page.route('**/content/terms.md', (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Error loading content.');
  await expect(alert).toContainText('There was an issue fetching the content.');
});

test('prices come from the API, monthly and yearly, and a failure can be retried', async ({ page }) => {
  await page.route('**/billing/plans', (route) => route.abort(), { times: 1 });
  await page.goto('/pricing');
  await expect(page.getByRole('alert')).toContainText('Failed to load pricing plans.');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('$200/mo').first()).toBeVisible();
  await page.getByText('Yearly').click();
  await expect(page.getByText('~$167/mo billed annually').first()).toBeVisible();
  await expect(page.getByText('$2,000/yr').first()).toBeVisible();
  await page.getByText('Monthly').click();
  await expect(page.getByRole('status').filter({ hasText: 'Monthly prices are shown.' })).toBeAttached();
});

test('a paid plan links to registration where payments are off', async ({ page }) => {
  await page.goto('/pricing');
  await page.getByRole('button', { name: 'Get Pro' }).first().click();
  await expect(page).toHaveURL('/register');
});

test('the header recognizes a signed-in user', async ({ page }) => {
  await page.goto('/pricing');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
});

signedIn(
  'the header links a signed-in user to the console, and the page layout settles',
  async ({ page }) => {
    await page.goto('/pricing', { waitUntil: 'networkidle' });
    const header = page.getByRole('banner');
    await header.getByRole('link', { name: 'Console' }).click();
    await expect(page).toHaveURL('/console');
  },
);

import type { Page } from '@playwright/test';
import { expect, test, withSample } from '../fixtures/test.ts';
import { storeBeforeStart } from '../screens/access.ts';

/**
 * Records every later change of the root element's classes, and whether the page had a body to
 * paint by then.
 */
async function recordSchemes(page: Page) {
  await page.addInitScript(() => {
    const seen: { scheme: string; painted: boolean }[] = [];
    Object.assign(window, { recordedSchemes: seen });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (target !== document.documentElement) continue;
        seen.push({ scheme: document.documentElement.className, painted: document.body !== null });
      }
    }).observe(document, { attributes: true, attributeFilter: ['class'], subtree: true });
  });
}

function recordedSchemes(page: Page): Promise<{ scheme: string; painted: boolean }[]> {
  return page.evaluate(() => Reflect.get(window, 'recordedSchemes'));
}

async function choose(page: Page, theme: 'Light' | 'Dark' | 'System') {
  await page.getByRole('button', { name: /^Theme/ }).click();
  await page.getByRole('menu').getByText(theme, { exact: true }).click();
}

const root = (page: Page) => page.locator('html');

withSample(
  'a stored choice applies before the first paint, and no other scheme ever shows',
  async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await storeBeforeStart(page, { theme: 'light' });
    await recordSchemes(page);
    await page.goto('/console');
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    const seen = await recordedSchemes(page);
    expect(seen[0]).toEqual({ scheme: 'light', painted: false });
    expect(seen.every(({ scheme }) => scheme === 'light')).toBe(true);
  },
);

withSample('the console is dark until the user chooses, whatever the system has', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await recordSchemes(page);
  await page.goto('/console');
  await expect(root(page)).toHaveClass('dark');
  expect((await recordedSchemes(page))[0]).toEqual({ scheme: 'dark', painted: false });
});

test('public pages follow the system until the user chooses', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/login');
  await expect(root(page)).toHaveClass('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root(page)).toHaveClass('dark');
});

withSample(
  'the switch changes the scheme immediately in every tab and is remembered',
  async ({ page, context }) => {
    const other = await context.newPage();
    await page.goto('/console');
    await other.goto('/console/trackers');
    await choose(page, 'Light');
    await expect(root(page)).toHaveClass('light');
    await expect(root(other)).toHaveClass('light');
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
    await page.reload();
    await expect(root(page)).toHaveClass('light');
    await expect(page.getByRole('button', { name: 'Theme: Light' })).toBeVisible();
  },
);

withSample('System follows the operating system while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/console');
  await choose(page, 'System');
  await expect(root(page)).toHaveClass('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root(page)).toHaveClass('light');
});

withSample('Settings offers the same choice', async ({ page }) => {
  await page.goto('/console/settings/appearance');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await page.getByRole('radio', { name: 'Light' }).check();
  await expect(root(page)).toHaveClass('light');
});

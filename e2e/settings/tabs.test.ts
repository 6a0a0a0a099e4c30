import { expect, withSample } from '../fixtures/test.ts';

const TABS = [
  'Profile',
  'Security',
  'Members',
  'Audit Log',
  'Subscription',
  'API Keys',
  'API Usage',
  'Models',
  'MCP Servers',
  'Appearance',
];

withSample('tabs connect the settings screens, also on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/console/settings');
  const tabs = page.getByRole('navigation', { name: 'Settings' });
  await expect(tabs.getByRole('link')).toHaveText(TABS);
  for (const name of TABS) {
    const tab = tabs.getByRole('link', { name });
    await tab.click();
    await expect(tab).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
    await expect(tab).toBeInViewport({ ratio: 1 });
  }
});

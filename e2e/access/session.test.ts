import type { Page } from '@playwright/test';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { signIn, storeBeforeStart } from '../screens/access.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

for (const elsewhere of [
  'https://evil.example/console',
  '//evil.example/console',
  '/\\evil.example',
  'javascript:alert(1)',
]) {
  test(`a stored return address ${elsewhere} is ignored`, async ({ page, account, product }) => {
    await storeBeforeStart(page, { loginRedirectPath: elsewhere });
    await page.goto('/login');
    await signIn(page, account);
    await expect(page).toHaveURL('/console');
    expect(new URL(page.url()).origin).toBe(product.url);
    expect(await page.evaluate(() => localStorage.getItem('loginRedirectPath'))).toBeNull();
  });
}

test('a visitor reaches the requested screen after signing in, filters included', async ({
  page,
  account,
}) => {
  await page.goto('/console/issues?status=all&query=link');
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('You were signed out')).toHaveCount(0);
  await signIn(page, account);
  await expect(page).toHaveURL('/console/issues?status=all&query=link');
  await expect(heading(page, 'Issue Similarity')).toBeVisible();
});

signedIn(
  'a session that ended elsewhere leads to sign-in and back to the same screen',
  async ({ page, account, product }) => {
    await page.goto('/console/trackers');
    await expect(heading(page, 'Trackers')).toBeVisible();
    await fetch(`${product.url}/logout`, { headers: { 'x-refresh-token': account.api.refreshToken } });
    await page.reload();
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('status').filter({ hasText: 'You were signed out' })).toBeVisible();
    await signIn(page, account);
    await expect(page).toHaveURL('/console/trackers');
  },
);

signedIn(
  'signing out ends the session in every tab and on the server',
  async ({ page, context, account, product }) => {
    const other = await context.newPage();
    await page.goto('/console');
    await other.goto('/console/trackers');
    await expect(heading(other, 'Trackers')).toBeVisible();

    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    for (const tab of [page, other]) {
      await expect(tab).toHaveURL('/');
      await expect(tab.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
    }

    const headers = { authorization: `Bearer ${account.api.accessToken}` };
    const statusOfSession = async () =>
      (await fetch(`${product.url}/api/v1/auth/users/me`, { headers })).status;
    await expect.poll(statusOfSession, 'the server ended the session as well').toBe(401);
  },
);

signedIn(
  'a rejected access token is renewed once for all calls of all tabs',
  async ({ page, context, account }) => {
    const other = await context.newPage();
    const tabs = [page, other];
    for (const tab of tabs) {
      await tab.goto('/console');
      await expect(tab.getByText('No projects found.')).toBeVisible();
    }
    const refreshes: number[] = [];
    /** For each tab, the paths of its refused requests that have not been sent again yet. */
    const open = new Map(tabs.map((tab) => [tab, [] as string[]]));
    let refused = 0;
    context.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === '/api/v1/auth/refresh') refreshes.push(response.status());
      if (!response.ok()) return;
      const calls = open.get(response.frame().page());
      if (calls?.includes(response.url())) calls.splice(calls.indexOf(response.url()), 1);
    });
    // Holds the requests back until both tabs have made several requests, then refuses all of them
    // together.
    const allMade = Promise.withResolvers<void>();
    await context.route('**/api/v1/**', async (route, request) => {
      if ((await request.headerValue('authorization')) === 'Bearer expired token') {
        open.get(request.frame().page())?.push(request.url());
        refused += 1;
        if ([...open.values()].every((calls) => calls.length >= 2)) allMade.resolve();
        await allMade.promise;
      }
      await route.continue();
    });
    await page.evaluate(() => localStorage.setItem('accessToken', 'expired token'));
    await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Similarity' }).click()));

    await expect.poll(() => refused, 'several calls of each tab were refused').toBeGreaterThanOrEqual(4);
    await expect.poll(() => [...open.values()].flat(), 'each was retried successfully').toEqual([]);
    for (const tab of tabs) {
      await expect(tab.getByText('No projects found. Did you add a tracker?')).toBeVisible();
      await expect(tab.getByText(account.email)).toBeVisible();
    }
    expect(refreshes).toEqual([200]);
  },
);
